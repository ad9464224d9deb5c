import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Checks that a data directory contains exactly the files to which its database refers, which means
 * that all leftovers of a crash were removed. The directory's service must be idle.
 */
export function checkFiles(directory: string): void {
  // Use a copy, because SQLite must be able to open it regardless of the directory's location.
  const copy = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
  try {
    for (const name of readdirSync(directory).filter((it) => /^fleet\.db(-wal)?$/.test(it))) {
      copyFileSync(join(directory, name), join(copy, name));
    }
    using database = new DatabaseSync(join(copy, 'fleet.db'));
    compare(directory, database);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function compare(directory: string, database: DatabaseSync): void {
  const column = (query: string): string[] =>
    database
      .prepare(query)
      .all()
      .map((row) => String(Object.values(row)[0]))
      .sort();
  const blobs = join(directory, 'blobs');
  const hashes = filesIn(blobs).map(({ folder, name }) => folder + name);
  const referred = column(
    `select blob_hash from binary_data union select blob_hash from package_files
      union select blob_hash from lake_files where blob_hash is not null`,
  );
  assert.deepEqual(hashes.sort(), referred, 'blobs');
  assert.deepEqual(column('select hash from blobs'), hashes, 'the table of blobs');

  const lake = filesIn(join(directory, 'lake')).filter(({ folder }) => folder !== '');
  const names = lake.map(({ name }) => name).sort();
  const listed = column('select name from lake_files where blob_hash is null');
  assert.deepEqual(names, listed, 'the lake');

  assert.deepEqual(column('pragma integrity_check'), ['ok']);
  assert.deepEqual(database.prepare('pragma foreign_key_check').all(), []);
}

/** Returns all files in a folder, recursively. */
function filesIn(path: string): { folder: string; name: string }[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(join(path, entry.name)).map((name) => ({ folder: entry.name, name }))
      : [{ folder: '', name: entry.name }],
  );
}
