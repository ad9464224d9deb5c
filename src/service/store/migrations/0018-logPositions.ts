import type { SchemaDialect } from './schemaDialect';

/** Creates the index for reading a part's lines after a position. */
export function logPositionIndex({ logPositionIndex: statements }: SchemaDialect): string[] {
  return [...statements];
}
