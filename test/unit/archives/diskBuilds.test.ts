import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiskBuilds } from '../../../src/archives/diskBuilds';
import { IGNORE_FILE } from '../../../src/archives/ignoreRules';
import { FleetError, type FleetErrorKind } from '../../../src/core/api/errors';
import type { Localizer } from '../../../src/base/localizer';
import { TestFolder } from '../../support/archives';

const { signal } = new AbortController();

/** Localizer that marks translated messages and appends their arguments. */
const markingLocalizer: Localizer = {
  t: (message, ...args) => [`«${message}»`, ...args].join(' '),
};

describe('an unreadable build', () => {
  const builds = new DiskBuilds(markingLocalizer);
  let folder: TestFolder;

  beforeEach(() => {
    folder = new TestFolder();
    folder.program('main.sh');
  });
  afterEach(() => folder[Symbol.dispose]());

  async function assertReported(
    reading: Promise<unknown>,
    kind: FleetErrorKind,
    message: string,
  ): Promise<void> {
    await assert.rejects(reading, (error) => {
      assert.ok(error instanceof FleetError);
      assert.deepEqual([error.kind, error.message], [kind, message]);
      return true;
    });
  }

  it("is reported in the user's language, with its path", async () => {
    const gone = join(folder.path, 'gone');
    await assertReported(
      builds.inspect(gone, {}, { signal }),
      'notFound',
      `«{0} doesn't exist. Build the module first.» ${gone}`,
    );
  });

  it('is reported if it changed after the check', async () => {
    const content = builds.read(folder.path, {}, { signal, fingerprint: 'of another' });
    await assertReported(
      content.next(),
      'conflict',
      `«{0} changed after it was checked. Upload it again to repeat the check.» ${folder.path}`,
    );
  });

  it('is reported if its ignore file is invalid', async () => {
    folder.link(IGNORE_FILE, '/dev/zero');
    await assertReported(
      builds.inspect(folder.path, {}, { signal }),
      'invalid',
      `«{0} can't be used. It must be a file, not a link, with at most 1,000 lines and 100,000 bytes.» ${join(folder.path, IGNORE_FILE)}`,
    );
  });

  it('is reported with the fix for a file name that is not valid UTF-8', async () => {
    const prefix = join(folder.path, 'caf');
    try {
      writeFileSync(Buffer.concat([Buffer.from(prefix), Buffer.of(0xe9)]), '');
    } catch {
      // The file systems of macOS and Windows reject such names.
      return;
    }
    await assertReported(
      builds.inspect(folder.path, {}, { signal }),
      'invalid',
      `«The name of "{0}" is not valid UTF-8. Rename the file or folder, then try again.» ${prefix}\uFFFD`,
    );
  });
});
