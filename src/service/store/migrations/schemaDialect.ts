/** What the two databases spell differently in the definitions of tables. */
export interface SchemaDialect {
  /** Definition of a column that numbers rows in the order in which they were inserted. */
  sequenceColumn: string;
  /** Statements that make a piece of the messages of `log_lines` be found fast. */
  logTextIndex: readonly string[];
  /** The same once lines have a column `folded`, which stands for the message where it is not null. */
  foldedLogTextIndex: readonly string[];
}

export const SQLITE_SCHEMA: SchemaDialect = {
  sequenceColumn: 'integer primary key autoincrement',
  // Without the texts themselves, which the lines have.
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
};

export const POSTGRES_SCHEMA: SchemaDialect = {
  sequenceColumn: 'bigint generated always as identity primary key',
  // The extension comes with PostgreSQL; where it may not be used, searching reads the lines.
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
};
