import assert from 'node:assert/strict';
import { proposedVersion } from '../../../../../src/core/modules/upload/versionProblem';

describe('the proposed version', () => {
  const cases: readonly (readonly [versions: readonly string[], proposed: string])[] = [
    [[], '0.1.0'],
    [['1.0.0'], '1.0.1'],
    [['1.9.9', '1.10.0', '1.2.3'], '1.10.1'],
    [['1.0.0', '2.0.0-rc.1'], '2.0.0-rc.2'],
    [['2.0.0-rc.9'], '2.0.0-rc.10'],
    [['2.0.0-beta'], '2.0.0-beta.1'],
    [['2.0.0-1.x'], '2.0.0-2'],
    [['2.0.0-rc.1', '2.0.0'], '2.0.1'],
    [['1.0.0+build.5'], '1.0.1'],
    [['not a version', 'v1.0.0', '0.3.0'], '0.3.1'],
  ];
  for (const [versions, proposed] of cases) {
    it(`after ${versions.join(', ') || 'none'} is ${proposed}`, () => {
      assert.equal(proposedVersion(versions), proposed);
      assert.ok(!versions.includes(proposed));
    });
  }
});
