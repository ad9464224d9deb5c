import { spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  chmodSync,
  mkdirSync,
  openSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/support/freePort';
import { postgresPrograms, serverAccount, type Account } from './postgresBinaries';

const startLimitMs = 60_000;
const stopLimitMs = 30_000;
const pollMs = 50;
const superuser = 'fleetwright';

/**
 * Settings that make the server several times faster. They lose data on a power failure, which no
 * test would survive either.
 */
const testOnlySettings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** Variations of a cluster, for tests of backups. */
export interface ClusterOptions {
  /** Settings that override those for tests, such as `archive_mode=on`. */
  settings?: readonly string[];
  /** Backup of a data folder with which the cluster starts; by default, an empty cluster. */
  base?: string;
}

/** A running PostgreSQL server that only this process uses. */
export interface PostgresCluster {
  /** Folder with the server's data. */
  dataFolder: string;
  /** URL of the maintenance database, for a user that can create databases. */
  adminUrl: string;
  /** Stops the server immediately and deletes its files. */
  stop(): void;
  /**
   * Kills all processes of the server at the same time, like the failure of its computer, and deletes
   * its files. On other systems than Linux, its child processes end a moment later.
   */
  kill(): void;
}

function initialize(programs: string, dataFolder: string, account: Account | undefined): void {
  const { status, stdout, stderr } = spawnSync(
    join(programs, 'initdb'),
    [
      '--pgdata',
      dataFolder,
      '--username',
      superuser,
      '--auth',
      'trust',
      '--encoding',
      'UTF8',
    ].concat(['--locale', 'C', '--no-sync', '--no-instructions']),
    { ...account, encoding: 'utf8', cwd: dataFolder },
  );
  if (status !== 0) throw new Error(`initdb failed:\n${stdout}${stderr}`);
}

/** Makes an account the owner of a folder and everything in it. */
function setOwner(folder: string, { uid, gid }: Account): void {
  chownSync(folder, uid, gid);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    chownSync(join(folder, name), uid, gid);
  }
}

/**
 * Returns true if the server accepts connections, also as a replica: the eighth line of its PID file
 * contains its state.
 */
function isReady(dataFolder: string): boolean {
  try {
    const lines = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n');
    return ['ready', 'standby'].includes(lines[7]?.trim() ?? '');
  } catch {
    return false;
  }
}

/**
 * Blocks until the server has deleted its PID file, which it does last. Blocks, because exit
 * handlers can't await.
 */
function waitUntilStopped(dataFolder: string): void {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  const deadline = performance.now() + stopLimitMs;
  while (existsSync(join(dataFolder, 'postmaster.pid')) && performance.now() < deadline) {
    Atomics.wait(clock, 0, 0, pollMs);
  }
}

/**
 * Starts a PostgreSQL server in a temporary folder, by default with an empty cluster. The server stops when
 * `stop()` is called or this process exits.
 *
 * @throws Error if there are no binaries for this platform or the server doesn't start
 */
export async function startPostgresCluster({
  settings: ownSettings = [],
  base,
}: ClusterOptions = {}): Promise<PostgresCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-postgres-'));
  const account = serverAccount();
  chmodSync(folder, 0o755);
  const dataFolder = join(folder, 'data');
  mkdirSync(dataFolder, { mode: 0o700 });
  if (base !== undefined) cpSync(base, dataFolder, { recursive: true });
  if (account !== undefined) setOwner(dataFolder, account);
  const programs = postgresPrograms(account, folder);
  if (base === undefined) initialize(programs, dataFolder, account);

  const port = await freePort();
  const logFile = join(folder, 'server.log');
  const log = openSync(logFile, 'a');
  const settings = [
    ...testOnlySettings,
    ...ownSettings,
    `port=${port}`,
    'listen_addresses=127.0.0.1',
  ];
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', dataFolder, '-k', '', ...settings.flatMap((setting) => ['-c', setting])],
    { ...account, cwd: dataFolder, stdio: ['ignore', log, log] },
  );
  // The server must not keep the process alive after the tests; the exit handler stops it.
  server.unref();
  const stop = (): void => {
    process.off('exit', stop);
    // SIGQUIT requests an immediate shutdown, in which the server terminates its own processes and
    // frees its shared memory.
    server.kill('SIGQUIT');
    waitUntilStopped(dataFolder);
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  process.once('exit', stop);
  const kill = (): void => {
    process.off('exit', stop);
    const children = listChildren(String(server.pid));
    server.kill('SIGKILL');
    for (const child of children) killIfRunning(child);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };

  const deadline = performance.now() + startLimitMs;
  while (!isReady(dataFolder)) {
    if (server.exitCode !== null || performance.now() > deadline) {
      const reason = readFileSync(logFile, 'utf8');
      stop();
      throw new Error(`PostgreSQL did not start:\n${reason}`);
    }
    await sleep(pollMs);
  }
  return { dataFolder, adminUrl: `postgres://${superuser}@127.0.0.1:${port}/postgres`, stop, kill };
}

function listChildren(pid: string): number[] {
  if (process.platform !== 'linux') return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return (children.match(/\d+/g) ?? []).map(Number);
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended.
  }
}
