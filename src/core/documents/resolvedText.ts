import { findNodeAtLocation, type Node } from 'jsonc-parser';
import {
  type ConfigPath,
  type ConfigValue,
  printConfig,
  toConfigValue,
} from '../fragments/configValue';
import {
  type FragmentLookup,
  type Origin,
  resolveConfig,
  type ResolvedConfig,
  type ResolveOptions,
} from '../fragments/resolveConfig';
import { isTooDeep } from '../fragments/fragmentImport';
import { parseStrictTree } from './jsonText';
import { parseJsonInSteps } from './parseInSteps';
import type { TextRange } from './rejection';

/** Resolved config and its text, in the format in which configs are displayed. */
export interface ResolvedText extends ResolvedConfig {
  readonly text: string;
}

/**
 * Parses a config's text; returns undefined if it isn't JSON or exceeds the maximum nesting depth.
 */
export function parseConfigText(text: string): ConfigValue | undefined {
  const tree = parseStrictTree(text.trim() === '' ? '{}' : text);
  if (!tree || nestsTooDeep(tree)) return undefined;
  return toConfigValue(tree, text);
}

/** Parsed config text. */
export interface ParsedConfig {
  readonly text: string;
  readonly tree: Node;
  /** The value. Numbers are doubles, so their digits can differ from those in the text. */
  readonly value: ConfigValue;
}

/**
 * Parses a config text in steps.
 *
 * @returns undefined if the text isn't JSON or exceeds the maximum nesting depth.
 */
export function* parseConfigInSteps(
  text: string,
): Generator<undefined, ParsedConfig | undefined, void> {
  const parsed = yield* parseJsonInSteps(text.trim() === '' ? '{}' : text);
  yield;
  if (!parsed || nestsTooDeep(parsed.tree)) return undefined;
  return { text, tree: parsed.tree, value: parsed.value as ConfigValue };
}

/** Resolves a config from its text; returns undefined if the text isn't JSON. */
export function resolveText(text: string, lookup: FragmentLookup): ResolvedText | undefined {
  const config = parseConfigText(text);
  return config === undefined ? undefined : resolveValue(config, lookup);
}

/** Resolves a parsed config. The text of the result is formatted when it is read. */
export function resolveValue(
  config: ConfigValue,
  lookup: FragmentLookup,
  options?: ResolveOptions,
): ResolvedText {
  const resolved = resolveConfig(config, lookup, options);
  let text: string | undefined;
  return {
    ...resolved,
    get text() {
      text ??= `${printConfig(resolved.config)}\n`;
      return text;
    },
  };
}

/**
 * Returns the range in text that corresponds to a path in its config, or the range of the innermost
 * existing value on the path.
 * @param tree the parsed text, for callers that need many ranges
 */
export function findPathRange(
  text: string,
  path: ConfigPath,
  tree = parseStrictTree(text),
): TextRange {
  for (let length = path.length; tree && length > 0; length -= 1) {
    const found = findNodeAtLocation(tree, [...path.slice(0, length)]);
    // Use the range of the member's key, because the value can be pages long and the key identifies
    // it.
    const key = found?.parent?.type === 'property' ? found.parent.children?.[0] : undefined;
    const shown = key ?? found;
    if (shown) return { offset: shown.offset, length: Math.max(1, shown.length) };
  }
  return { offset: 0, length: 1 };
}

/**
 * Returns the origin of the value at an offset in resolved text; undefined for values from the
 * config itself.
 */
export function originAt(
  text: string,
  origins: readonly Origin[],
  offset: number,
): Origin | undefined {
  const tree = parseStrictTree(text);
  return origins.find(({ path }) => {
    const node = tree && findNodeAtLocation(tree, [...path]);
    // If a section was included as a whole, its key also has an origin.
    const start = typeof path.at(-1) === 'string' ? node?.parent?.offset : node?.offset;
    return node && start !== undefined && start <= offset && offset <= node.offset + node.length;
  });
}

/** Returns true if a config exceeds the maximum nesting depth. */
export function nestsTooDeep(tree: Node): boolean {
  const path: number[] = [];
  const exceeds = ({ children }: Node): boolean => {
    // Each property adds a tree level between an object and its value.
    if (isTooDeep(path)) return true;
    if (!children) return false;
    path.push(0);
    const found = children.some(exceeds);
    path.pop();
    return found;
  };
  return exceeds(tree);
}
