import { type ChildProcess, spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import type { Logger } from '../../base/logger';
import { cleanEnvironment } from '../../processes/cleanEnvironment';
import { isOrphaned } from '../processes/processGuard';
import { findReason, isDatabaseDamaged } from '../store/storeErrors';
import { DAMAGED_DATABASE_FILE, DATABASE_FILE } from './dataDirectoryLayout';

/** Checks a database file and prints the result. For the service itself, which starts it. */
export interface CheckDatabaseCommand {
  kind: 'check-database';
  path: string;
}

/** The damaged tables with their first problem. */
type TableProblems = ReadonlyMap<string, string>;

const MAX_PROBLEMS = 5;
const OWNER_ONLY = 0o600;

/**
 * Checks the tables of the embedded database.
 * @param shouldContinue called before each table; false ends the check.
 * @throws the store's error when the list of tables cannot be read
 */
export function findDamagedTables(
  path: string,
  shouldContinue: () => boolean = () => true,
): TableProblems {
  using database = new DatabaseSync(path, { readOnly: true });
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  const problems = new Map<string, string>();
  for (const { name } of tables) {
    if (!shouldContinue()) break;
    const problem = findProblem(database, String(name));
    if (problem !== undefined) problems.set(String(name), problem);
  }
  return problems;
}

/**
 * Logs the damaged tables, and has the next start check the database too as long as there are some: an interruption
 * is forgotten with the next clean end, and damage must not be.
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
    'the database is damaged: restore a backup into a new directory with service restore; until then calls ' +
      'that need the damaged tables fail',
    {
      file: join(directory, DATABASE_FILE),
      tables: [...problems.keys()].join(' '),
      problems: [...problems.values()].slice(0, MAX_PROBLEMS).join('; '),
    },
  );
  await requestDatabaseCheck(directory);
}

/** Has the next start of the service check the database. */
export async function requestDatabaseCheck(directory: string): Promise<void> {
  await writeFile(join(directory, DAMAGED_DATABASE_FILE), '', { mode: OWNER_ONLY });
}

/** Checks a database while the service uses it, in a process of low priority, and logs the result. */
export class DatabaseCheck {
  private readonly child: ChildProcess;
  private readonly finished: Promise<void>;
  private isStopped = false;

  /** @param program the bundle of the service. */
  constructor(
    program: string,
    private readonly directory: string,
    private readonly logger: Logger,
  ) {
    const args = [program, 'check-database', join(directory, DATABASE_FILE)];
    this.child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: cleanEnvironment(),
      windowsHide: true,
    });
    this.finished = this.report().catch((error: unknown) => {
      if (this.isStopped) return;
      logger.warn('the database was not checked: service backup checks it', {
        error: error instanceof Error ? error.message : String(error),
      });
    });
  }

  private async report(): Promise<void> {
    const { child } = this;
    const ended = new Promise<void>((resolve, reject) => {
      child.once('close', () => resolve()).once('error', reject);
    });
    const [output, errors] = await Promise.all([
      child.stdout ? text(child.stdout) : '',
      child.stderr ? text(child.stderr) : '',
      ended,
    ]);
    if (child.exitCode !== 0) throw new Error(errors.trim());
    const problems = new Map(JSON.parse(output) as [string, string][]);
    await recordDamagedTables(this.directory, problems, this.logger);
    if (problems.size === 0) this.logger.info('the database is sound');
  }

  /** Ends the check, which the next start then makes. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.isStopped = true;
    this.child.kill('SIGKILL');
    await this.finished;
  }
}

/** What the process of a `DatabaseCheck` does. */
export function checkDatabase({ path }: CheckDatabaseCommand): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // A system that does not allow it runs it all the same.
  }
  const parent = process.ppid;
  const shouldContinue = (): boolean =>
    !isOrphaned({ parent, currentParent: process.ppid, platform: process.platform });
  const problems = findDamagedTables(path, shouldContinue);
  process.stdout.write(JSON.stringify([...problems]));
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
