import assert from 'node:assert/strict';
import { type BigIntStats, readdirSync, statSync, watch } from 'node:fs';
import {
  appendFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUpFleet } from '../../../../src/service/backup/backUpFleet';
import { restoreFleet } from '../../../../src/service/backup/restoreFleet';
import { blobPath } from '../../../../src/service/blobs/fileBlobStore';
import { SecretsKeyFile } from '../../../../src/service/secrets/secretsKeySource';
import { silentLogger } from '../../../support/silentLogger';
import { waitUntil } from '../../../support/waitUntil';
import { fillDataDirectory } from './backupFixture';

const CONTENTS = 12;

describe('backUpFleet and restoreFleet', () => {
  let root: string;
  let dataDirectory: string;
  let hashes: string[];

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    dataDirectory = join(root, 'data');
    hashes = await fillDataDirectory(dataDirectory, CONTENTS);
  });
  afterEach(() => rm(root, { recursive: true }));

  const createKeyFile = (directory: string): SecretsKeyFile =>
    new SecretsKeyFile(join(directory, 'secrets.key'), silentLogger);
  const backUp = (target: string, directory = dataDirectory) =>
    backUpFleet({
      dataDirectory: directory,
      databaseUrl: undefined,
      target,
      secretsKey: createKeyFile(directory),
      logger: silentLogger,
    });
  const restore = (backup: string, directory: string) =>
    restoreFleet({
      backup,
      dataDirectory: directory,
      databaseUrl: undefined,
      secretsKey: createKeyFile(directory),
      logger: silentLogger,
    });

  it('flush every file and folder with its names to disk', async () => {
    await using synced = await watchSyncs(root);
    const backup = join(root, 'backups', 'today', 'one');
    await backUp(backup);
    const restored = join(root, 'restored');
    await restore(backup, restored);
    for (const path of [root, join(root, 'backups'), ...listAll(join(root, 'backups'))]) {
      synced.assertDurable(path);
    }
    for (const path of [restored, ...listAll(restored)]) synced.assertDurable(path);
  });

  it('preserve the mark of an interrupted restore until everything else of it is deleted', async () => {
    const backup = join(root, 'backup');
    await backUp(backup);
    const [damaged = ''] = hashes.toSorted().slice(-1);
    await appendFile(join(backup, 'blobs', blobPath(damaged)), 'x');
    const restored = join(root, 'restored');
    await mkdir(restored);
    const events: string[] = [];
    const watcher = watch(restored, (_event, name) => events.push(name ?? ''));
    try {
      await assert.rejects(restore(backup, restored), /has changed since it was written/);
      // Each file or folder is created and deleted; the watcher reports both events in order.
      await waitUntil(() => events.filter((name) => name === 'restore.unfinished').length > 1);
      await waitUntil(() => events.filter((name) => name === 'blobs').length > 1);
    } finally {
      watcher.close();
    }
    const last = (name: string): number => events.lastIndexOf(name);
    assert.ok(last('restore.unfinished') > last('blobs'), events.join(' '));
    assert.ok(last('restore.unfinished') > last('fleet.db.restoring'), events.join(' '));
    assert.deepEqual(await readdir(restored), ['service.lock']);

    await rm(backup, { recursive: true });
    await backUp(backup);
    await restore(backup, restored);
    assert.ok((await readdir(restored)).includes('fleet.db'));
  });

  it('explain files that cannot be read or written, and leave nothing', async () => {
    const file = join(root, 'file');
    await writeFile(file, '');
    await assert.rejects(backUp(join(file, 'one')), {
      name: 'CommandError',
      message: `cannot write to ${join(file, 'one')} (ENOTDIR): check the folder and its disk, or specify another folder with --to`,
    });
    const [content = ''] = hashes;
    const path = join(dataDirectory, 'blobs', blobPath(content));
    await rm(path);
    await symlink(path, path);
    await assert.rejects(backUp(join(root, 'backup')), {
      name: 'CommandError',
      message: `cannot read ${path} (ELOOP): check the file and its disk, and run the command again`,
    });
    assert.deepEqual((await readdir(root)).sort(), ['data', 'file']);
  });
});

/** Returns the files and folders in a folder, recursively. */
function listAll(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  );
}

/**
 * Records the contents of the disk when files and folders are synced. SQLite syncs its own files.
 */
async function watchSyncs(folder: string) {
  const handle = await open(folder);
  const prototype = Object.getPrototypeOf(handle) as { sync: () => Promise<void> };
  await handle.close();
  const original = prototype.sync;
  /** Names in a synced folder; empty for a file. */
  const synced = new Map<bigint, readonly string[]>();
  prototype.sync = async function (this: typeof handle) {
    const { ino } = await this.stat({ bigint: true });
    const isIt = (path: string): boolean => inode(path).ino === ino;
    const path = [folder, ...listAll(folder)].find(isIt) ?? '';
    const names = inode(path).isDirectory() ? readdirSync(path) : [];
    await original.call(this);
    synced.set(ino, names);
  };
  return {
    assertDurable(path: string) {
      if (path.endsWith('service.lock') || path.endsWith('fleet.db')) return;
      const names = synced.get(inode(path).ino);
      assert.ok(names, `${path} was not synchronized`);
      if (!inode(path).isDirectory()) return;
      const missing = readdirSync(path).filter((name) => !names.includes(name));
      assert.deepEqual(missing, [], `names in ${path} that were not synchronized`);
    },
    [Symbol.asyncDispose]() {
      prototype.sync = original;
      return Promise.resolve();
    },
  };
}

function inode(path: string): BigIntStats {
  return statSync(path, { bigint: true });
}
