import { DatabaseSync } from 'node:sqlite';
import type { Capturer } from '../../src/service/store/data/dataScope';
import { openSqliteStore } from '../../src/service/store/openStore';

const INSERT = `insert into log_lines (part_id, stored_at, logged_at, size, level, level_key,
    logger_name, host, message, stack, fields)
  values (?, ?, ?, ?, 'info', 'info', 'rdk.component.drive', 'rover', ?, '', ?)`;

/** A line as logged by a machine. */
export interface BenchLine {
  /** Time in microseconds since 1970. */
  at: number;
  message: string;
  /** Fields as a JSON list of objects. */
  fields: string;
}

/** The table of log lines with its indexes, in a separate database. */
export class LogTable implements Disposable {
  private constructor(
    readonly database: DatabaseSync,
    private readonly partId: string,
  ) {}

  /** Creates a database that contains a part. */
  static async create(file: string): Promise<LogTable> {
    const store = await openSqliteStore(file);
    await store.destroy();
    const table = LogTable.open(file, 'main');
    table.database.exec(`
      insert into organizations (id, name, created_at, default_region, metadata)
        values ('acme', 'Acme', 1, '', '{}');
      insert into locations (id, organization_id, name, created_at, region, metadata)
        values ('hall', 'acme', 'Hall', 1, '', '{}');
      insert into machines (id, location_id, name, created_at, metadata)
        values ('rover', 'hall', 'rover', 1, '{}');
      insert into parts (id, machine_id, name, is_main, config_json, created_at, last_updated, metadata)
        values ('main', 'rover', 'main', 1, '{}', 1, 1, '{}');`);
    return table;
  }

  /** Opens the database of a stopped service. */
  static open(file: string, partId: Capturer['part_id']): LogTable {
    const database = new DatabaseSync(file, { enableForeignKeyConstraints: true });
    database.exec('pragma journal_mode = wal; pragma synchronous = full;');
    return new LogTable(database, partId);
  }

  /** Inserts lines as fast as the database can, with `inTransaction` lines per transaction. */
  insert(lines: Iterable<BenchLine>, inTransaction: number): void {
    const insert = this.database.prepare(INSERT);
    let open = 0;
    for (const { at, message, fields } of lines) {
      if (open === 0) this.database.exec('begin immediate');
      insert.run(this.partId, at, at, message.length + fields.length, message, fields);
      open = (open + 1) % inTransaction;
      if (open === 0) this.database.exec('commit');
    }
    if (open > 0) this.database.exec('commit');
  }

  [Symbol.dispose](): void {
    this.database.close();
  }
}
