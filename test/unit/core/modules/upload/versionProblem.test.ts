import assert from 'node:assert/strict';
import {
  findNewestVersion,
  versionProblem,
} from '../../../../../src/core/modules/upload/versionProblem';

const at = undefined;
const versions = [
  { version: '1.1.0', createdAt: at, files: [{ platform: 'linux/amd64', uploadedAt: at }] },
  { version: '1.0.0', createdAt: at, files: [{ platform: 'any', uploadedAt: at }] },
];

describe('a version before its upload', () => {
  for (const text of [
    '',
    '1',
    '1.2',
    'v1.2.3',
    '1.2.3.4',
    '01.2.3',
    '1.2.3-',
    '1.2.3-01',
    'latest',
    '1.2.3; rm -rf /',
    '1.2.3\n',
  ]) {
    it(`is invalid as ${JSON.stringify(text)}`, () => {
      assert.deepEqual(versionProblem(text, versions, ['linux/amd64']), { kind: 'form' });
    });
  }

  it('cannot be longer than the registry allows', () => {
    const text = `1.2.3-${'x'.repeat(100)}`;
    assert.deepEqual(versionProblem(text, versions, []), { kind: 'tooLong' });
  });

  it('conflicts only with archives for the same platforms', () => {
    assert.deepEqual(versionProblem('1.1.0', versions, ['linux/arm64', 'linux/amd64']), {
      kind: 'taken',
      platforms: ['linux/amd64'],
    });
    assert.equal(versionProblem('1.1.0', versions, ['linux/arm64']), undefined);
  });

  it('is rejected if another version differs only in build metadata', () => {
    for (const text of ['1.1.0+b', '1.0.0+debian.1']) {
      const other = text.slice(0, 5);
      assert.deepEqual(versionProblem(text, versions, ['any']), { kind: 'same', other });
    }
    const built = [{ version: '1.1.0+a', createdAt: at, files: [] }];
    assert.deepEqual(versionProblem('1.1.0', built, ['any']), { kind: 'same', other: '1.1.0+a' });
    assert.equal(versionProblem('1.1.0+a', built, ['any']), undefined);
    assert.equal(versionProblem('1.1.1+a', built, ['any']), undefined);
  });

  it('can be older than the newest, which is reported', () => {
    assert.deepEqual(versionProblem('1.0.1', versions, ['any']), {
      kind: 'older',
      newest: '1.1.0',
    });
    assert.deepEqual(versionProblem('1.1.0-rc.1', versions, ['any']), {
      kind: 'older',
      newest: '1.1.0',
    });
    assert.equal(versionProblem('1.1.1', versions, ['any']), undefined);
    assert.equal(findNewestVersion([]), undefined);
  });

  it('can be a release below a prerelease, which machines on the latest ignore', () => {
    const more = [{ version: '2.0.0-rc.1', createdAt: at, files: [] }, ...versions];
    assert.equal(versionProblem('1.1.1', more, ['any']), undefined);
    assert.deepEqual(versionProblem('1.2.0-rc.1', more, ['any']), {
      kind: 'older',
      newest: '2.0.0-rc.1',
    });
    assert.equal(findNewestVersion(more), '2.0.0-rc.1');
  });
});
