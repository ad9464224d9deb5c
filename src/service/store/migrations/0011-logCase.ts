import type { SchemaDialect } from './schemaDialect';

/**
 * Creates the columns for case-folded messages, which are used if the message contains letters that
 * the databases can't fold themselves.
 */
export function logCaseColumns({ foldedLogTextIndex }: SchemaDialect): string[] {
  return [`alter table log_lines add column folded text`, ...foldedLogTextIndex];
}
