import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { invalid } from '../errors';
import { checkJsonSize } from './jsonLimits';
import { isJsonObject } from './isJsonObject';

const INDENT = 2;

/**
 * Reads the raw text of a config or fragment.
 * @param field the request's field, for the message.
 * @throws InvalidArgument with the position when it is not JSON, or not an object, or too large.
 */
export function parseConfigText(text: string, field: string): JsonObject {
  checkJsonSize(text, field);
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    throw invalid(`${field}: is not valid JSON: ${(error as SyntaxError).message}`);
  }
  if (!isJsonObject(value)) {
    throw invalid(`${field}: must be a JSON object`);
  }
  return value;
}

/**
 * The stored text of a config that arrived as a Struct, which carries no text of its own.
 * @param field the request's field, for the message.
 * @throws InvalidArgument when it is too large.
 */
export function configTextOf(config: JsonObject, field: string): string {
  const text = JSON.stringify(config, undefined, INDENT);
  checkJsonSize(text, field);
  return text;
}

/**
 * The config with the keys in the order they have in the previous version, new ones last. Clients
 * that edit a config as a Struct shuffle its keys; without this every such edit would read as a
 * change of the whole document in histories and diffs.
 */
export function inOrderOf(previous: JsonValue | undefined, next: JsonValue): JsonValue {
  if (Array.isArray(next)) {
    const counterpart = counterpartsIn(Array.isArray(previous) ? previous : []);
    return next.map((item, index) => inOrderOf(counterpart(item, index), item));
  }
  if (!isJsonObject(next)) {
    return next;
  }
  const old = previous !== undefined && isJsonObject(previous) ? previous : {};
  const keys = [
    ...Object.keys(old).filter((key) => Object.hasOwn(next, key)),
    ...Object.keys(next).filter((key) => !Object.hasOwn(old, key)),
  ];
  return Object.fromEntries(keys.map((key) => [key, inOrderOf(old[key], next[key] ?? null)]));
}

/** Whether two configs say the same, whatever the order of their keys. */
export function sameConfig(left: JsonValue, right: JsonValue): boolean {
  return JSON.stringify(left) === JSON.stringify(inOrderOf(left, right));
}

// Components, services and modules are known by their names, wherever they stand in their list.
function counterpartsIn(
  old: JsonValue[],
): (item: JsonValue, index: number) => JsonValue | undefined {
  const byName = new Map(
    old.toReversed().flatMap((item) => {
      const name = nameOf(item);
      return name === undefined ? [] : [[name, item]];
    }),
  );
  return (item, index) => {
    const name = nameOf(item);
    return name === undefined ? old[index] : byName.get(name);
  };
}

function nameOf(item: JsonValue): string | undefined {
  return isJsonObject(item) && typeof item.name === 'string' ? item.name : undefined;
}
