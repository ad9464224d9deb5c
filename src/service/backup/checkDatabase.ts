import { DatabaseSync } from 'node:sqlite';
import { findReason, isDatabaseDamaged } from '../store/storeErrors';

/**
 * Checks the structure of a database file and the references between rows.
 * @returns the first problem; undefined if there is none.
 */
export function findDatabaseProblem(path: string): string | undefined {
  using database = new DatabaseSync(path);
  try {
    const [result] = Object.values(database.prepare('pragma quick_check(1)').get() ?? {});
    if (result !== 'ok') return String(result).replaceAll(/\s+/g, ' ').trim();
    const orphan = database.prepare('pragma foreign_key_check').get();
    return (
      orphan &&
      `a row of ${String(orphan.table)} belongs to a missing row of ${String(orphan.parent)}`
    );
  } catch (error) {
    if (isDatabaseDamaged(error)) return findReason(error);
    throw error;
  }
}
