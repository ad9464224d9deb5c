import assert from 'node:assert/strict';
import {
  formatChecksums,
  getReleaseNotes,
  toReleaseVersion,
} from '../../../scripts/support/releaseFiles';

const changelog = `# Changelog

## [0.3.0] - Unreleased

- New

## [0.2.0] - 2026-02-01

### Added

- Better

## [0.1.0] - 2026-01-01

- First
`;

describe('the files of a release', () => {
  it('toReleaseVersion rejects a tag that is not the version of the package', () => {
    assert.equal(toReleaseVersion('v1.2.0', '1.2.0'), '1.2.0');
    assert.throws(() => toReleaseVersion('v1.3.0', '1.2.0'), /Use v1\.2\.0\.$/);
  });

  it('getReleaseNotes returns the section of one version', () => {
    assert.equal(getReleaseNotes(changelog, '0.2.0'), '### Added\n\n- Better');
  });

  it('getReleaseNotes rejects a version without a date', () => {
    assert.throws(() => getReleaseNotes(changelog, '0.3.0'), /no dated heading for 0\.3\.0/);
    assert.throws(() => getReleaseNotes(changelog, '0.4.0'), /no dated heading for 0\.4\.0/);
  });

  it('formatChecksums lists files by name', () => {
    const files = new Map([
      ['b', new TextEncoder().encode('b')],
      ['a', new Uint8Array()],
    ]);
    assert.match(formatChecksums(files), /^e3b0c44298fc[0-9a-f]{52} {2}a\n[0-9a-f]{64} {2}b\n$/);
  });
});
