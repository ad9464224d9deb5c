import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system, used to test full disks. */
export interface SmallDisk extends AsyncDisposable {
  /** Root of the file system for this process. SQLite can't use this path. */
  path: string;
  /** Root of the file system for programs that are started with `command`. */
  inside: string;
  /** Command line prefix for programs that use the file system. */
  command: readonly string[];
}

const MOUNT = 'mount -t tmpfs -o size="$1",mode=700 tmpfs "$2" && echo mounted && exec cat';

/**
 * Environment variable with a folder on an otherwise empty file system of about the required size.
 */
const DISK_VARIABLE = 'FLEETWRIGHT_TEST_SMALL_DISK';

/**
 * Mounts a small file system: the one in `FLEETWRIGHT_TEST_SMALL_DISK` or, by default, one in
 * memory. On Linux, any user can mount an in-memory file system that is visible to a single
 * process; other processes access it through that process.
 * @throws Error that explains what to do if neither is available.
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
  // The process exits when its stdin is closed, regardless of how this process ends.
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
