import type { SchemaDialect } from './schemaDialect';

/** Messages in small letters beyond those that the databases know by themselves. */
export function logCaseColumns({ foldedLogTextIndex }: SchemaDialect): string[] {
  return [`alter table log_lines add column folded text`, ...foldedLogTextIndex];
}
