import { DatabaseSync } from 'node:sqlite';
import { CommandError } from '../process/commandError';

/**
 * Checks the structure of a database file and that no row refers to a missing one.
 * @throws CommandError that names the first problem.
 */
export function checkDatabase(path: string): void {
  const database = new DatabaseSync(path);
  try {
    const integrity = database.prepare('pragma quick_check(1)').get() ?? {};
    const [result] = Object.values(integrity);
    if (result !== 'ok') {
      throw new CommandError(`the copy of the database is damaged: ${String(result)}`);
    }
    const orphan = database.prepare('pragma foreign_key_check').get();
    if (orphan !== undefined) {
      throw new CommandError(
        `the copy of the database is damaged: a row of ${String(orphan.table)} belongs to a missing ` +
          `row of ${String(orphan.parent)}`,
      );
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`the copy of the database is damaged: ${String(error)}`, undefined, {
      cause: error,
    });
  } finally {
    database.close();
  }
}
