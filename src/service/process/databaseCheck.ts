import { spawn } from 'node:child_process';
import { rm, stat, writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { onAbort } from '../../base/cancellation';
import type { Sleep } from '../../base/clock';
import type { Logger } from '../../base/logger';
import { cleanEnvironment } from '../../processes/programProcess';
import { startGuard } from '../processes/processGuard';
import { findReason, isDatabaseDamaged } from '../store/storeErrors';
import { DAMAGED_DATABASE_FILE, DATABASE_FILE } from '../files/dataDirectoryLayout';

/**
 * Arguments of the internal command that checks a database file and prints the result. Only the
 * service runs this command.
 */
export interface CheckDatabaseCommand {
  kind: 'check-database';
  path: string;
}

/** Damaged tables, each with the first problem that was found in it. */
type TableProblems = ReadonlyMap<string, string>;

const MAX_PROBLEMS = 5;
const OWNER_ONLY = 0o600;
const MAX_LOG_GROWTH = 256 * 1024 * 1024;
const LOG_POLL_MS = 1_000;
const RETRY_MS = 15 * 60_000;
const MS_PER_SECOND = 1_000;

/**
 * Checks the tables of the embedded database.
 * @throws the store's error if the list of tables can't be read
 */
export function findDamagedTables(path: string): TableProblems {
  using database = new DatabaseSync(path, { readOnly: true });
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  const problems = new Map<string, string>();
  for (const { name } of tables) {
    const problem = findProblem(database, String(name));
    if (problem !== undefined) problems.set(String(name), problem);
  }
  return problems;
}

/**
 * Logs the damaged tables. As long as tables are damaged, each start of the service checks the
 * database again. The damage is recorded separately, because the next clean shutdown clears the
 * record of an interrupted run.
 */
export async function recordDamagedTables(
  directory: string,
  problems: TableProblems,
  logger: Logger,
): Promise<void> {
  if (problems.size === 0) {
    await rm(join(directory, DAMAGED_DATABASE_FILE), { force: true });
    return;
  }
  logger.error(
    'the database is damaged: restore a backup into a new directory with service restore; until then, calls ' +
      'that need the damaged tables will fail',
    {
      file: join(directory, DATABASE_FILE),
      tables: [...problems.keys()].join(' '),
      problems: [...problems.values()].slice(0, MAX_PROBLEMS).join('; '),
    },
  );
  await requestDatabaseCheck(directory);
}

/** Causes the next start of the service to check the database. */
export async function requestDatabaseCheck(directory: string): Promise<void> {
  await writeFile(join(directory, DAMAGED_DATABASE_FILE), '', { mode: OWNER_ONLY });
}

interface CheckSettings {
  /** Path of the service's bundle. */
  readonly program: string;
  readonly directory: string;
  readonly logger: Logger;
  readonly sleep: Sleep;
  /** Maximum growth of the write-ahead log during a check. */
  readonly maxLogGrowth?: number | undefined;
}

/**
 * Checks a database in a low-priority process while the service uses it, and logs the result.
 * SQLite checks each table in one read transaction. During the transaction, the write-ahead log can
 * only grow. If the log becomes too large, the check is stopped and repeated later.
 */
export class DatabaseCheck {
  private readonly stopping = new AbortController();
  private readonly finished: Promise<void>;

  constructor(private readonly settings: CheckSettings) {
    this.finished = this.run().catch((error: unknown) => {
      if (this.stopping.signal.aborted) return;
      settings.logger.warn('the database was not checked: run service backup to check it', {
        error: error instanceof Error ? error.message : String(error),
      });
    });
  }

  private async run(): Promise<void> {
    const { directory, logger, sleep, maxLogGrowth = MAX_LOG_GROWTH } = this.settings;
    const { signal } = this.stopping;
    const maxLogBytes = (await this.getLogSize()) + maxLogGrowth;
    for (;;) {
      const problems = await this.check(maxLogBytes);
      if (problems) {
        await recordDamagedTables(directory, problems, logger);
        if (problems.size === 0) logger.info('the database is intact');
        return;
      }
      logger.info(
        'the check of the database was stopped because of many writes, and will be repeated later',
        {
          seconds: RETRY_MS / MS_PER_SECOND,
        },
      );
      await sleep(RETRY_MS, signal);
    }
  }

  /** @returns undefined if the write-ahead log became too large */
  private async check(maxLogBytes: number): Promise<TableProblems | undefined> {
    const { program, directory, sleep } = this.settings;
    const { signal } = this.stopping;
    signal.throwIfAborted();
    const child = spawn(
      process.execPath,
      [program, 'check-database', join(directory, DATABASE_FILE)],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: cleanEnvironment(),
        windowsHide: true,
      },
    );
    const following = onAbort(signal, () => child.kill('SIGKILL'));
    const ended = new AbortController();
    const exited = new Promise<void>((resolve, reject) => {
      child.once('close', () => resolve()).once('error', reject);
    }).finally(() => ended.abort());
    const stoppedForLog = (async (): Promise<boolean> => {
      while (!ended.signal.aborted) {
        if ((await this.getLogSize()) > maxLogBytes) {
          child.kill('SIGKILL');
          return true;
        }
        await sleep(LOG_POLL_MS, ended.signal).catch(() => undefined);
      }
      return false;
    })();
    try {
      const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
      const { exitCode, signalCode } = child;
      if (exitCode === 0) return new Map(JSON.parse(output) as [string, string][]);
      if (await stoppedForLog) return undefined;
      const exit = signalCode ?? `exit code ${String(exitCode)}`;
      const reason = errors.trim() === '' ? exit : `${exit}: ${errors.trim()}`;
      throw new Error(`the process that checks the database exited with ${reason}`);
    } finally {
      following.dispose();
      await stoppedForLog;
    }
  }

  private async getLogSize(): Promise<number> {
    const path = join(this.settings.directory, `${DATABASE_FILE}-wal`);
    return (await stat(path).catch(() => undefined))?.size ?? 0;
  }

  /** Stops the check. The next start runs it again. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.stopping.abort();
    await this.finished;
  }
}

/** Runs the check in a `DatabaseCheck`'s process. */
export function checkDatabase({ path }: CheckDatabaseCommand): void {
  // The guard runs in a separate thread, because SQLite blocks the current thread while it checks a
  // table.
  startGuard();
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // If the system doesn't allow a lower priority, the check still runs.
  }
  process.stdout.write(JSON.stringify([...findDamagedTables(path)]));
}

function findProblem(database: DatabaseSync, table: string): string | undefined {
  try {
    const [result] = Object.values(
      database.prepare(`pragma quick_check('${table.replaceAll("'", "''")}')`).get() ?? {},
    );
    return result === 'ok' ? undefined : String(result).replaceAll(/\s+/g, ' ').trim();
  } catch (error) {
    if (isDatabaseDamaged(error)) return `${table}: ${findReason(error)}`;
    throw error;
  }
}
