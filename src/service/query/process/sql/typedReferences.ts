import type { DataShape } from '../../queryJob';
import { sqlName } from '../readingsSql';
import {
  getNodeList,
  getNodeOffset,
  getNodeText,
  isNode,
  type SyntaxNode,
  walkNodes,
} from './selectStatement';

/** Path in a value, consisting of member names and zero-based array indexes. */
type Path = readonly (string | number)[];

/**
 * Marker for values of different types, or for objects with too many members to track. It is not an
 * actual type.
 */
const MIXED = 'JSON';

/** DuckDB type for a path at which no reading has a value. It is compatible with any type. */
const NOTHING = 'NULL';

const POSITION = /^\d+$/;

/**
 * Returns the DuckDB type of the values at a path, based on the shape of all readings.
 * @returns undefined for objects and arrays, including the entire value.
 */
function typeAt(shape: DataShape, path: Path): string | undefined {
  if (path.length === 0) return undefined;
  let at: DataShape = shape;
  for (const step of path) {
    if (typeof at === 'string') return at === MIXED ? MIXED : NOTHING;
    if (isArray(at)) {
      if (typeof step === 'string' && POSITION.test(step)) {
        // Some operators interpret this path element as an index; others don't.
        return undefined;
      }
      at = typeof step === 'number' ? at[0] : NOTHING;
    } else {
      at = typeof step === 'string' && Object.hasOwn(at, step) ? (at[step] ?? NOTHING) : NOTHING;
    }
  }
  switch (at) {
    case 'BIGINT':
    case 'UBIGINT':
    case 'HUGEINT':
    case 'UHUGEINT':
    case 'DOUBLE':
      // All numbers in readings are doubles.
      return 'DOUBLE';
    default:
      return typeof at === 'string' ? at : undefined;
  }
}

function isArray(shape: DataShape): shape is readonly [DataShape] {
  return Array.isArray(shape);
}

/** Replacement for part of a query. */
export interface Replacement {
  /** Byte offset in the query. */
  start: number;
  end: number;
  text: string;
  /** The expression in `text`, without its alias. */
  expression: string;
  /** The original text. */
  original: string;
}

/** References to `data` in a query. */
export interface References {
  /** References to values of a single type, in query order. */
  typed: readonly Replacement[];
  /** SQL that converts references to values of mixed types to numbers. */
  casts: readonly string[];
}

interface Reference {
  start: number;
  names: readonly string[];
  /** Remainder of the path after the names, starting at the first bracket. */
  more: Path;
  /** True if the reference is a result column by itself. */
  isColumn: boolean;
}

const DATA = 'data';
const EXTRACTS = new Set(['ARRAY_EXTRACT', 'STRUCT_EXTRACT']);

/**
 * Finds paths in `data`, such as `data.readings.temperature`, and replaces them with expressions of
 * the type that the readings have at these paths. Otherwise, the values would be JSON, which can't
 * be averaged and is sorted as text. A path that no reading contains becomes NULL, which is
 * compatible with any type. Values of mixed types remain JSON.
 */
export function typedReferences(sql: string, statement: SyntaxNode, shape: DataShape): References {
  if (makesOwnData(statement)) return { typed: [], casts: [] };
  // Uses one character per byte, because positions are byte offsets. All characters that are
  // relevant here are ASCII.
  const bytes = Buffer.from(sql).toString('latin1');
  const found = referencesIn(statement).map((reference) =>
    createReplacement(bytes, reference, shape),
  );
  const replacementsByStart = new Map(
    found.flatMap((item) => (typeof item === 'object' ? [[item.start, item]] : [])),
  );
  return {
    typed: [...replacementsByStart.values()].sort((a, b) => a.start - b.start),
    casts: found.filter((item) => typeof item === 'string'),
  };
}

/** Applies the replacements. */
export function applyReplacements(sql: string, replacements: readonly Replacement[]): string {
  const bytes = Buffer.from(sql);
  let end = 0;
  const parts: string[] = [];
  for (const replacement of replacements) {
    parts.push(bytes.subarray(end, replacement.start).toString(), replacement.text);
    ({ end } = replacement);
  }
  return [...parts, bytes.subarray(end).toString()].join('');
}

/**
 * Maps a position in the replaced text to a position in the original text, and returns the
 * replacement at that position.
 */
export function toOriginalOffset(
  offset: number,
  replacements: readonly Replacement[],
): { offset: number; replacement?: Replacement } {
  let shift = 0;
  for (const replacement of replacements) {
    const { start, end, text } = replacement;
    const length = Buffer.byteLength(text);
    if (offset < start + shift) break;
    if (offset < start + shift + length) return { offset: start, replacement };
    shift += length - (end - start);
  }
  return { offset: offset - shift };
}

/**
 * Returns true if the query uses the name `data` for something other than the readings column. The
 * shape doesn't apply to it.
 */
function makesOwnData(statement: SyntaxNode): boolean {
  for (const node of walkNodes(statement)) {
    const names = node.column_names;
    const isSame = Array.isArray(names) && String(names.at(-1)).toLowerCase() === DATA;
    const lists = [node.column_name_alias, node.aliases].flatMap((list) =>
      Array.isArray(list) ? list.map(String) : [],
    );
    const definedNames = [
      ...lists,
      getNodeText(node, 'key'),
      isSame ? '' : getNodeText(node, 'alias'),
    ];
    if (definedNames.some((name) => name.toLowerCase() === DATA)) return true;
  }
  return false;
}

function referencesIn(statement: SyntaxNode): Reference[] {
  const inner = new Set<SyntaxNode>();
  const columns = new Set<SyntaxNode>();
  const references: Reference[] = [];
  for (const node of walkNodes(statement)) {
    for (const item of getNodeList(node.select_list)) {
      if (getNodeText(item, 'alias') === '') columns.add(item);
    }
    const chain = inner.has(node) ? undefined : parseReferenceChain(node);
    if (chain !== undefined) {
      chain.nodes.forEach((one) => inner.add(one));
      references.push({ ...chain, isColumn: columns.has(node) && chain.more.length === 0 });
    }
  }
  return references;
}

/**
 * Parses a chain such as `a.b.c[1]['d'].e` as a single reference; undefined if the node isn't such
 * a chain.
 */
function parseReferenceChain(
  root: SyntaxNode,
): (Omit<Reference, 'isColumn'> & { nodes: SyntaxNode[] }) | undefined {
  const nodes: SyntaxNode[] = [];
  const more: (string | number)[] = [];
  let node = root;
  while (EXTRACTS.has(getNodeText(node, 'type'))) {
    const [from, by] = getNodeList(node.children);
    const step = by && getConstant(by);
    if (from === undefined || step === undefined) return undefined;
    more.unshift(step);
    nodes.push(node);
    node = from;
  }
  const start = getNodeOffset(node);
  const names = node.column_names;
  if (getNodeText(node, 'class') !== 'COLUMN_REF' || start === undefined || !Array.isArray(names)) {
    return undefined;
  }
  return { start, names: names.map(String), more, nodes: [...nodes, node] };
}

function getConstant(node: SyntaxNode): string | number | undefined {
  const value = getNodeText(node, 'class') === 'CONSTANT' ? node.value : undefined;
  const constant = isNode(value) ? value.value : undefined;
  const usable =
    typeof constant === 'string' || (Number.isSafeInteger(constant) && Number(constant) >= 0);
  return usable ? (constant as string | number) : undefined;
}

/**
 * Returns the replacement for a reference. For a reference to values of mixed types, returns a
 * string with the cast.
 */
function createReplacement(
  bytes: string,
  { start, names, more, isColumn }: Reference,
  shape: DataShape,
): Replacement | string | undefined {
  const spelled = spelledChain(bytes, start);
  const steps = [...names, ...more];
  // The source text must match the parsed tree. Otherwise, the source has an unexpected form.
  if (spelled === undefined || steps.some((step, index) => step !== spelled.steps[index])) {
    return undefined;
  }
  const end = spelled.ends[steps.length - 1] ?? start;
  // The chain can end with a method call, which looks like a member.
  if (spelled.steps.length > steps.length && bytes[spelled.ends[steps.length] ?? 0] !== '(') {
    return undefined;
  }
  for (const [index, name] of names.entries()) {
    const path = steps.slice(index + 1);
    const type = name.toLowerCase() === DATA ? typeAt(shape, path) : undefined;
    const base = bytes.slice(start, spelled.ends[index]);
    if (type === MIXED) return fromBytes(`TRY_CAST(${base}->>'${toPathSql(path)}' AS DOUBLE)`);
    if (type !== undefined) {
      const text = `(${base} ->> '${toJsonPointerSql(path)}')`;
      const expression = type === 'VARCHAR' ? text : `TRY_CAST(${text} AS "${type}")`;
      const alias = isColumn ? ` AS ${sqlName(names.at(-1) ?? '')}` : '';
      const original = fromBytes(bytes.slice(start, end));
      return {
        start,
        end,
        original,
        text: fromBytes(expression) + alias,
        expression: fromBytes(expression),
      };
    }
  }
  return undefined;
}

/**
 * Returns a JSON pointer (RFC 6901) for the path as an SQL string literal, with one character per
 * byte.
 */
function toJsonPointerSql(path: Path): string {
  const steps = path.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'));
  const pointer = Buffer.from(`/${steps.join('/')}`).toString('latin1');
  return pointer.replaceAll("'", "''");
}

/**
 * Returns the path in the notation that users write, as an SQL string literal, with one character
 * per byte.
 */
function toPathSql(path: Path): string {
  const steps = path.map((step) =>
    typeof step === 'number' ? `[${String(step)}]` : /^\w+$/.test(step) ? `.${step}` : undefined,
  );
  return steps.includes(undefined) ? toJsonPointerSql(path) : `$${steps.join('')}`;
}

function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}

const GAP = /(?:\s|--[^\n]*(?:\n|$)|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/y;
const NAME = /"((?:[^"]|"")*)"|([A-Za-z_\x80-\xff][\w$\x80-\xff]*)/y;
const SUBSCRIPT = /\[\s*(?:(\d{1,15})|'((?:[^']|'')*)')\s*\]/y;

/** Parses a chain in the source text to its end. Also returns the end of each step. */
function spelledChain(
  bytes: string,
  start: number,
): { steps: (string | number)[]; ends: number[] } | undefined {
  const steps: (string | number)[] = [];
  const ends: number[] = [];
  const read = (pattern: RegExp, at: number): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(bytes) ?? undefined;
  };
  const skip = (at: number): number => at + (read(GAP, at)?.[0].length ?? 0);
  for (let at = start; ;) {
    const subscript = steps.length > 0 ? read(SUBSCRIPT, at) : undefined;
    if (subscript) {
      const [all, index, key] = subscript;
      steps.push(
        index === undefined ? fromBytes((key ?? '').replaceAll("''", "'")) : Number(index),
      );
      ends.push(at + all.length);
    } else {
      if (steps.length > 0 && bytes[at] !== '.') return { steps, ends };
      const from = steps.length > 0 ? skip(at + 1) : at;
      const name = read(NAME, from);
      if (name === undefined) return undefined;
      steps.push(fromBytes(name[1]?.replaceAll('""', '"') ?? name[2] ?? ''));
      ends.push(from + name[0].length);
    }
    at = skip(ends.at(-1) ?? start);
  }
}
