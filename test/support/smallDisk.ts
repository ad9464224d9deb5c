import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system, to test a full disk. */
export interface SmallDisk extends AsyncDisposable {
  /** Its root for this process. SQLite can't use this path. */
  path: string;
  /** Its root for programs that are started by the command. */
  inside: string;
  /** Prefix of the command line of a program that uses it. */
  command: readonly string[];
}

const MOUNT = 'mount -t tmpfs -o size="$1",mode=700 tmpfs "$2" && echo mounted && exec cat';

/**
 * Environment variable with a folder on an otherwise empty file system of about the required size.
 */
const DISK_VARIABLE = 'FLEETWRIGHT_TEST_SMALL_DISK';

/**
 * Mounts a small file system: the one in `FLEETWRIGHT_TEST_SMALL_DISK` or, by default, one in
 * memory. On Linux, any user can mount that visible to a single process; others access it through
 * that process.
 * @throws Error that explains what to do, if there is neither.
 */
export async function mountSmallDisk(mebibytes: number): Promise<SmallDisk> {
  const named = process.env[DISK_VARIABLE];
  if (named !== undefined && named !== '') {
    const path = mkdtempSync(join(named, 'fleetwright-disk-'));
    return {
      path,
      inside: path,
      command: [],
      [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
    };
  }
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-disk-'));
  const holder = spawn(
    'unshare',
    ['--mount', '--user', '--map-root-user', 'sh', '-c', MOUNT, 'sh', `${mebibytes}m`, folder],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  // It ends with its stdin, regardless of how this process ends.
  const ended = new Promise<undefined>((resolve) => {
    holder.once('error', () => resolve(undefined)).once('close', () => resolve(undefined));
  });
  holder.stdin.on('error', () => undefined);
  const mounted = await Promise.race([once(holder.stdout, 'data'), ended]);
  if (mounted === undefined) {
    rmSync(folder, { recursive: true });
    throw new Error(
      `No small file system can be mounted here: name a folder on one of ${mebibytes} MiB in ${DISK_VARIABLE}.`,
    );
  }
  return {
    path: `/proc/${String(holder.pid)}/root${folder}`,
    inside: folder,
    command: [
      ...['nsenter', '--target', String(holder.pid)],
      ...['--mount', '--user', '--preserve-credentials', '--'],
    ],
    async [Symbol.asyncDispose]() {
      holder.stdin.end();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
