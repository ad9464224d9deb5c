import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SecretsKeyError, SecretsKeyFile } from '../../src/service/secrets/secretsKeySource';
import { silentLogger } from '../support/silentLogger';
import { mountSmallDisk, type SmallDisk } from '../support/smallDisk';

const DISK_MEBIBYTES = 4;
const MEBIBYTE = 1024 * 1024;
const TIMEOUT_MS = 120_000;

describe('on a full disk', function () {
  this.timeout(TIMEOUT_MS);
  let disk: SmallDisk;

  beforeEach(async () => {
    disk = await mountSmallDisk(DISK_MEBIBYTES);
  });
  afterEach(() => disk[Symbol.asyncDispose]());

  /** Writes until there is no room left. */
  const fillDisk = (path: string): Promise<void> =>
    assert.rejects(writeFile(path, Buffer.alloc((DISK_MEBIBYTES + 1) * MEBIBYTE)), {
      code: 'ENOSPC',
    });

  it('SecretsKeyFile.create leaves no part of a key', async () => {
    const filler = join(disk.path, 'filler');
    const file = new SecretsKeyFile(join(disk.path, 'secrets.key'), silentLogger);
    await fillDisk(filler);
    await assert.rejects(file.create(), SecretsKeyError);
    assert.deepEqual(await readdir(disk.path), ['filler']);
    await rm(filler);
    const keys = await file.create();
    assert.deepEqual(await file.read(), keys);
  });
});
