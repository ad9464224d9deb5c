import { isJsonObject } from '../../../model/isJsonObject';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { exactJson } from './columnGuess';
import type { ColumnTypeDetectors, RowContent, SourceRow } from './readingRow';
import { MAX_ROW_LENGTH } from './csvRecords';
import { ReadingsError } from './textFormat';

const NOTED_DEPTH = 8;

/** Parses a line with a JSON object as a source row for a reading. */
export function ndjsonRow({ line, text }: TextLine): SourceRow {
  const value = parsed(text);
  const noContent = { timeText: () => '', note: () => undefined, content: () => ({ data: {} }) };
  if (value instanceof Error) {
    return { line, problem: { line, kind: 'json', reason: value.message }, ...noContent };
  }
  if (!isJsonObject(value)) return { line, problem: { line, kind: 'notObject' }, ...noContent };
  return {
    line,
    timeText: (column) => {
      const found = valueAt(value, column.split('.'));
      return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
    },
    note: (detectors) => noteValues(value, [], line, detectors),
    content: (_, timeColumn) => exportedContent(value) ?? { data: without(value, timeColumn) },
  };
}

/** Returns true if a row has this product's export format. */
export function isExported(value: JsonValue): value is JsonObject & { data: JsonObject } {
  return (
    isJsonObject(value) &&
    isJsonObject(value.data) &&
    typeof value.time === 'string' &&
    typeof value.component === 'string' &&
    typeof value.partId === 'string'
  );
}

function exportedContent(value: JsonObject): RowContent | undefined {
  if (!isExported(value)) return undefined;
  const { data, component, componentType, method, tags } = value;
  const named = (one: JsonValue | undefined) => (typeof one === 'string' ? one : undefined);
  return {
    data,
    component: named(component),
    componentType: named(componentType),
    method: named(method),
    tags: Array.isArray(tags) ? tags.map(String) : undefined,
  };
}

/** Returns the paths of an object's values, with dots between the keys. */
export function listPaths(value: JsonObject): readonly string[] {
  const paths: string[] = [];
  const collect = (object: JsonObject, above: readonly string[]): void => {
    for (const [key, one] of Object.entries(object)) {
      const path = [...above, key];
      if (isJsonObject(one) && path.length < NOTED_DEPTH) collect(one, path);
      else paths.push(path.join('.'));
    }
  };
  collect(value, []);
  return paths;
}

export function parsed(text: string): JsonValue | Error {
  try {
    return exactJson(text);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function noteValues(
  object: JsonObject,
  above: readonly string[],
  line: number,
  detectors: ColumnTypeDetectors,
): void {
  for (const [key, value] of Object.entries(object)) {
    const path = [...above, key];
    if (isJsonObject(value) && path.length < NOTED_DEPTH) noteValues(value, path, line, detectors);
    else if (value !== null) detectors.get(path.join('.'))?.addValue(value, line);
  }
}

function valueAt(object: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const key of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/**
 * Returns a copy of an object without the value at a path, and without nested objects that would
 * become empty.
 */
function without(object: JsonObject, column: string): JsonObject {
  const [first = '', ...rest] = column.split('.');
  const members = Object.entries(object).flatMap(([key, value]): [string, JsonValue][] => {
    if (key !== first) return [[key, value]];
    if (rest.length === 0 || !isJsonObject(value)) return [];
    const below = without(value, rest.join('.'));
    return Object.keys(below).length === 0 ? [] : [[key, below]];
  });
  return Object.fromEntries(members);
}

interface TextLine {
  /** Line number, starting at 1. */
  readonly line: number;
  readonly text: string;
}

/** Yields the nonblank lines of chunked text. @throws ReadingsError for a line that is too long. */
export async function* textLines(text: AsyncIterable<string>): AsyncGenerator<TextLine> {
  let line = 1;
  let rest: string[] = [];
  let length = 0;
  for await (const chunk of text) {
    const [first = '', ...others] = chunk.split('\n');
    rest.push(first);
    length += first.length;
    if (length > MAX_ROW_LENGTH) throw new ReadingsError({ kind: 'longRow', line });
    for (const next of others) {
      const whole = rest.join('').trim();
      if (whole !== '') yield { line, text: whole };
      line += 1;
      rest = [next];
      length = next.length;
    }
  }
  const last = rest.join('').trim();
  if (last !== '') yield { line, text: last };
}
