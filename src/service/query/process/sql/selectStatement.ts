import type { DuckDBConnection } from '@duckdb/node-api';
import { invalidQuery } from '../jobError';
import { toShortMessage } from './queryErrors';
import { createQueryError } from './queryPlace';

/** Node of the syntax tree that DuckDB's parser creates. */
export type SyntaxNode = Readonly<Record<string, unknown>>;

const MAX_QUERY_BYTES = 256 * 1024;

interface Parsed {
  error: boolean;
  error_type?: string;
  error_message?: string;
  position?: string;
  statements?: readonly SyntaxNode[];
}

/**
 * Parses a query with DuckDB's parser.
 * @throws InvalidArgument unless the query is a single read-only statement.
 */
export async function parseSelect(connection: DuckDBConnection, sql: string): Promise<SyntaxNode> {
  if (Buffer.byteLength(sql) > MAX_QUERY_BYTES) {
    throw invalidQuery(`the query is longer than ${String(MAX_QUERY_BYTES / 1024)} KiB`);
  }
  const parsed = await parse(connection, sql);
  if (parsed.error) {
    // The parser returns this error type for all statements other than SELECT.
    if (parsed.error_type === 'not implemented') {
      throw invalidQuery(
        'the query must be a SELECT statement: no other statements are supported',
        {
          location: wordAtStart(sql),
        },
      );
    }
    const offset = Number(parsed.position);
    const message =
      (await explainAlias(connection, sql, offset)) ??
      toShortMessage(parsed.error_message ?? "the query can't be parsed");
    throw createQueryError({ message, sql, offset });
  }
  const [statement, ...more] = parsed.statements ?? [];
  if (statement === undefined || more.length > 0) {
    throw invalidQuery(
      `the query must be one SELECT statement, but it has ${String(more.length + (statement ? 1 : 0))}`,
    );
  }
  return statement;
}

async function parse(connection: DuckDBConnection, sql: string): Promise<Parsed> {
  const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql]);
  return JSON.parse(String(reader.getRows()[0]?.[0])) as Parsed;
}

/**
 * Explains a syntax error caused by a missing AS. DuckDB rejects keywords such as `temp` and
 * `value` as aliases without AS, but reports only a syntax error.
 * @param offset byte offset of the error.
 * @returns an explanation if adding AS at the offset would fix the error.
 */
async function explainAlias(
  connection: DuckDBConnection,
  sql: string,
  offset: number,
): Promise<string | undefined> {
  const bytes = Buffer.from(sql);
  const word = /^[a-z_]+/i.exec(bytes.subarray(offset).toString('latin1'))?.[0];
  if (!Number.isInteger(offset) || word === undefined) {
    return undefined;
  }
  const [before, after] = [bytes.subarray(0, offset), bytes.subarray(offset)];
  const fixed = await parse(connection, `${before.toString()}AS ${after.toString()}`);
  // Another error can follow, for example at the next alias without AS.
  const isFixed = !fixed.error || Number(fixed.position) > offset + `AS ${word}`.length;
  return isFixed ? `"${word}" is a keyword: to use it as an alias, write AS ${word}` : undefined;
}

const SPACE = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[^]*?(?:\*\/|$))*/;

/** Returns the first word after spaces and comments. */
function wordAtStart(sql: string): { start: number; end: number } {
  const start = SPACE.exec(sql)?.[0].length ?? 0;
  const [word = ''] = /^\w*/.exec(sql.slice(start)) ?? [];
  return { start, end: start + word.length };
}

/** Yields all nodes of a tree in preorder. */
export function* walkNodes(root: SyntaxNode): Generator<SyntaxNode> {
  // Not recursive, because the depth depends on the query.
  const open: unknown[] = [root];
  while (open.length > 0) {
    const next = open.pop();
    if (Array.isArray(next)) {
      open.push(...(next as unknown[]));
    } else if (isNode(next)) {
      yield next;
      open.push(...Object.values(next));
    }
  }
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the nodes in a list; empty if the value isn't a list. */
export function getNodeList(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Returns a string property of a node; an empty string if the node doesn't have the property. */
export function getNodeText(node: SyntaxNode, name: string): string {
  const value = node[name];
  return typeof value === 'string' ? value : '';
}

/**
 * Returns the position of a node as a byte offset in the query; undefined if the parser doesn't
 * provide it.
 */
export function getNodeOffset(node: SyntaxNode): number | undefined {
  const offset = node.query_location;
  return typeof offset === 'number' && offset <= MAX_QUERY_BYTES ? offset : undefined;
}
