import assert from 'node:assert/strict';
import {
  compareSemanticVersions,
  parseSemanticVersion,
} from '../../../../src/core/model/semanticVersion';

describe('semantic versions', () => {
  it('are parsed like semver.org', () => {
    for (const text of [
      '0.0.0',
      '1.2.3',
      '1.0.0-rc.1',
      '1.0.0-0a.-',
      '1.0.0+001',
      '10.20.30-a+b',
    ]) {
      assert.ok(parseSemanticVersion(text), text);
    }
    for (const text of [
      ...['', '1', '1.0', 'v1.0.0', '1.0.0.0', '01.0.0', '1.0.0-', '1.0.0-01', '1.0.0-a..b'],
      ...['1.0.0 ', '1.0.0\n', '../1.0.0', '1.0.0-ä', '-1.0.0', '1.0.0+', 'latest'],
    ]) {
      assert.equal(parseSemanticVersion(text), undefined, text);
    }
  });

  it('have no numbers that cannot be ordered exactly', () => {
    assert.ok(parseSemanticVersion('9007199254740991.0.0'));
    assert.equal(parseSemanticVersion('9007199254740992.0.0'), undefined);
    assert.equal(parseSemanticVersion('9999999999999999999999.0.0'), undefined);
  });

  it('are ordered by the precedence of semver.org', () => {
    const ordered = [
      ...['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2'],
      ...['1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.0.1', '1.2.0', '1.10.0', '2.0.0'],
    ];
    const shuffled = ordered.toSorted().reverse();
    const sorted = shuffled
      .map((text) => ({ text, version: parseSemanticVersion(text) }))
      .sort((a, b) => (a.version && b.version ? compareSemanticVersions(a.version, b.version) : 0));
    assert.deepEqual(
      sorted.map(({ text }) => text),
      ordered,
    );
  });
});
