import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system that is full soon. */
export interface SmallDisk extends AsyncDisposable {
  /** Its root as this process sees it. SQLite does not go that way. */
  path: string;
  /** Its root as programs see it that are started by the command. */
  inside: string;
  /** What goes before the command line of a program that works on it. */
  command: readonly string[];
}

const MOUNT = 'mount -t tmpfs -o size="$1",mode=700 tmpfs "$2" && echo mounted && exec cat';

/** Names a folder on a file system of about the wanted size that nothing else is on. */
const DISK_VARIABLE = 'FLEETWRIGHT_TEST_SMALL_DISK';

/**
 * A small file system of its own: the one that `FLEETWRIGHT_TEST_SMALL_DISK` names, else one in
 * memory. Linux lets everybody mount that where only one process sees it; others reach it through
 * the process.
 * @throws Error saying what to do, where there is neither.
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
  // It ends with its stdin, however this process ends.
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
