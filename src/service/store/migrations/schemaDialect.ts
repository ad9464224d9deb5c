/** Differences between the databases' table definitions. */
export interface SchemaDialect {
  /** Definition of a column that numbers rows in insertion order. */
  sequenceColumn: string;
  /** Statements that create a substring index on the messages of `log_lines`. */
  logTextIndex: readonly string[];
  /**
   * Like `logTextIndex`, but for lines with the column `folded`, which replaces the message if it
   * isn't null.
   */
  foldedLogTextIndex: readonly string[];
  /** Statements that create an index on the parts and IDs of `log_lines`. */
  logPositionIndex: readonly string[];
}

export const SQLITE_SCHEMA: SchemaDialect = {
  sequenceColumn: 'integer primary key autoincrement',
  // The index doesn't contain a copy of the messages, which are stored in the rows.
  logTextIndex: [
    `create virtual table log_text using fts5(message, content='', contentless_delete=1,
      tokenize='trigram')`,
    `create trigger log_text_insert after insert on log_lines begin
      insert into log_text (rowid, message) values (new.id, new.message);
    end`,
    `create trigger log_text_delete after delete on log_lines begin
      delete from log_text where rowid = old.id;
    end`,
  ],
  foldedLogTextIndex: [
    `drop trigger log_text_insert`,
    `create trigger log_text_insert after insert on log_lines begin
      insert into log_text (rowid, message) values (new.id, coalesce(new.folded, new.message));
    end`,
  ],
  // Only services that share a database read lines after a position.
  logPositionIndex: [],
};

export const POSTGRES_SCHEMA: SchemaDialect = {
  sequenceColumn: 'bigint generated always as identity primary key',
  // The extension is part of PostgreSQL. If it isn't available, searches scan the lines.
  logTextIndex: [
    `do $$ begin
      create extension if not exists pg_trgm;
      create index log_lines_by_text on log_lines using gin (message gin_trgm_ops);
    exception when others then
      raise notice 'log messages are searched without an index: %', sqlerrm;
    end $$`,
  ],
  foldedLogTextIndex: [
    `drop index if exists log_lines_by_text`,
    `do $$ begin
      create index log_lines_by_text on log_lines
        using gin (coalesce(folded, message) gin_trgm_ops);
    exception when others then
      raise notice 'log messages are searched without an index: %', sqlerrm;
    end $$`,
  ],
  logPositionIndex: [`create index log_lines_by_position on log_lines (part_id, id)`],
};
