import type { SchemaDialect } from './schemaDialect';

/**
 * Creates the columns for case-folded messages. They are used if a message contains letters that
 * the databases can't fold.
 */
export function logCaseColumns({ foldedLogTextIndex }: SchemaDialect): string[] {
  return [`alter table log_lines add column folded text`, ...foldedLogTextIndex];
}
