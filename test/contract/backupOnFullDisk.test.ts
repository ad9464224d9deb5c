import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, rm, stat, statfs, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openFileBlobStore } from '../../src/service/blobs/fileBlobStore';
import { SecretsKeyError, SecretsKeyFile } from '../../src/service/secrets/secretsKeySource';
import { fillFleet } from '../support/capturedFleet';
import { RunningService } from '../support/runningService';
import { ServiceProgram } from '../support/serviceProgram';
import { silentLogger } from '../support/silentLogger';
import { mountSmallDisk, type SmallDisk } from '../support/smallDisk';

const DISK_MEBIBYTES = 16;
const MEBIBYTE = 1024 * 1024;
const RESERVED_BYTES = 8 * MEBIBYTE;
const TIMEOUT_MS = 120_000;

describe('on a full disk', function () {
  this.timeout(TIMEOUT_MS);
  let disk: SmallDisk;

  beforeEach(async () => {
    disk = await mountSmallDisk(DISK_MEBIBYTES);
  });
  afterEach(() => disk[Symbol.asyncDispose]());

  const filler = (): string => join(disk.path, 'filler');

  /** Writes to the disk until only a given amount of space is left. */
  async function fillDisk(leftBytes = 0): Promise<void> {
    const { bavail, bsize } = await statfs(disk.path);
    await assert.rejects(writeFile(filler(), Buffer.alloc(bavail * bsize + MEBIBYTE)), {
      code: 'ENOSPC',
    });
    await truncate(filler(), (await stat(filler())).size - leftBytes);
  }

  it('SecretsKeyFile.create leaves no partial key', async () => {
    const file = new SecretsKeyFile(join(disk.path, 'secrets.key'), silentLogger);
    await fillDisk();
    await assert.rejects(file.create(), SecretsKeyError);
    assert.deepEqual(await readdir(disk.path), ['filler']);
    await rm(filler());
    const keys = await file.create();
    assert.deepEqual(await file.read(), keys);
  });

  it('BlobStore.receive never uses the reserve, not even while it receives a large blob', async () => {
    const folder = join(disk.path, 'blobs');
    const blobs = await openFileBlobStore(folder);
    let leastFree = Infinity;
    const measure = async (): Promise<void> => {
      const { bavail, bsize } = await statfs(folder);
      leastFree = Math.min(leastFree, bavail * bsize);
    };
    async function* endless() {
      for (;;) {
        yield Buffer.alloc(MEBIBYTE);
        await measure();
      }
    }
    await assert.rejects(blobs.receive(endless()), { code: 'ENOSPC' });
    assert.ok(leastFree >= RESERVED_BYTES, `${String(leastFree)} bytes were left`);
    assert.deepEqual(await readdir(join(folder, 'incoming')), []);
    await blobs.close();
  });

  it('backup and restore report the required and the free space, and leave no files', async () => {
    await using program = await ServiceProgram.build();
    const [data, backup] = [program.path(), program.path()];
    const service = await RunningService.of(program.serve('--data', data));
    await fillFleet(service, { readings: 1, images: 0, files: 40 });
    await service.stop();
    assert.equal((await program.run('backup', '--data', data, '--to', backup).ended).exitCode, 0);
    await fillDisk(3 * MEBIBYTE);

    program.command = disk.command;
    const inside = (name: string): string => join(disk.inside, name);
    for (const [option, args] of [
      ['--to', ['backup', '--data', data, '--to', inside('target')]],
      ['--data', ['restore', '--from', backup, '--data', inside('target')]],
    ] as const) {
      const { exitCode, stderr } = await program.run(...args).ended;
      assert.equal(exitCode, 1, stderr);
      const [, needed, free] =
        /the disk of \S+target is full \(about (\d+) MiB are needed there, and (\d) MiB are free\): free up space on it, or specify/.exec(
          stderr,
        ) ?? [];
      assert.ok(Number(needed) > Number(free) && Number(free) >= 2, stderr);
      assert.ok(stderr.trimEnd().endsWith(`a folder on another disk with ${option}`), stderr);
    }
    assert.deepEqual((await readdir(disk.path)).sort(), ['filler', 'target']);
    assert.deepEqual(await readdir(join(disk.path, 'target')), ['service.lock']);
    assert.ok(existsSync(backup));
  });
});
