import { findNodeAtLocation, type Node } from 'jsonc-parser';
import {
  type ConfigPath,
  type ConfigValue,
  printConfig,
  type SyntaxNode,
  toConfigValue,
} from '../fragments/configValue';
import {
  type FragmentLookup,
  type Origin,
  resolveConfigInSteps,
  type ResolvedConfig,
  type ResolveOptions,
} from '../fragments/resolveConfig';
import { isTooDeep, MAX_DEPTH } from '../fragments/fragmentImport';
import { parseStrictTree } from './jsonText';
import { JsonNode, parseJsonInSteps } from './jsonTree';
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
  readonly tree: JsonNode;
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
  return (yield* parseEditedConfigInSteps(text)).config;
}

/** Config text that can have syntax errors. */
export interface EditedConfig {
  /** The syntax tree; undefined if the text contains no value or nests too deep. */
  readonly tree: JsonNode | undefined;
  /** The config; undefined if the text isn't strict JSON. */
  readonly config: ParsedConfig | undefined;
}

/** Parses a config text in steps, also if it has syntax errors, as it has while it is edited. */
export function* parseEditedConfigInSteps(text: string): Generator<undefined, EditedConfig, void> {
  const { value, tree } = yield* parseJsonInSteps(text.trim() === '' ? '{}' : text);
  if (!tree || nestsTooDeep(tree)) return { tree: undefined, config: undefined };
  const config = value === undefined ? undefined : { text, tree, value: value as ConfigValue };
  return { tree, config };
}

/**
 * Resolves a parsed config, in steps. The text of the result is formatted when it is read.
 */
export function* resolveValueInSteps(
  config: ConfigValue,
  lookup: FragmentLookup,
  options?: ResolveOptions,
): Generator<undefined, ResolvedText, void> {
  const resolved = yield* resolveConfigInSteps(config, lookup, options);
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
  tree: JsonNode | Node | undefined = parseStrictTree(text),
): TextRange {
  for (let length = path.length; tree && length > 0; length -= 1) {
    const steps = path.slice(0, length);
    const found: SyntaxNode | undefined =
      tree instanceof JsonNode ? tree.find(steps) : findNodeAtLocation(tree, steps);
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
export function nestsTooDeep(tree: JsonNode | Node): boolean {
  if (tree instanceof JsonNode) return tree.isDeeperThan(MAX_DEPTH);
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
