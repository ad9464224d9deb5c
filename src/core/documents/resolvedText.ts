import { findNodeAtLocation, type Node } from 'jsonc-parser';
import {
  type ConfigPath,
  type ConfigValue,
  printConfig,
  valueOfNode,
} from '../fragments/configValue';
import {
  type FragmentLookup,
  type Origin,
  resolveConfig,
  type ResolvedConfig,
} from '../fragments/resolveConfig';
import { isTooDeep } from '../fragments/fragmentVariables';
import { parseStrictTree } from './jsonText';
import type { TextPlace } from './problemPlace';

/** A config text with its fragments in place, laid out as configs are shown. */
export interface ResolvedText extends Omit<ResolvedConfig, 'config'> {
  readonly text: string;
}

/** The config of a text; undefined when the text is not JSON or nests deeper than configs do. */
export function parseConfigText(text: string): ConfigValue | undefined {
  const tree = parseStrictTree(text.trim() === '' ? '{}' : text);
  if (!tree || nestsTooDeep(tree)) return undefined;
  return valueOfNode(tree, text);
}

/** Undefined when the text is not JSON: then there is nothing to put in place. */
export function resolveText(text: string, lookup: FragmentLookup): ResolvedText | undefined {
  const config = parseConfigText(text);
  if (config === undefined) return undefined;
  const { config: resolved, origins, problems } = resolveConfig(config, lookup);
  return { text: `${printConfig(resolved)}\n`, origins, problems };
}

/** Where in a text a path of its config is; the innermost value on the way that there is. */
export function placeOfPath(text: string, path: ConfigPath): TextPlace {
  const tree = parseStrictTree(text);
  for (let length = path.length; tree && length > 0; length -= 1) {
    const found = findNodeAtLocation(tree, [...path.slice(0, length)]);
    // Of a member its key: a value may be pages long, and it is the key that says what is meant.
    const key = found?.parent?.type === 'property' ? found.parent.children?.[0] : undefined;
    const shown = key ?? found;
    if (shown) return { offset: shown.offset, length: Math.max(1, shown.length) };
  }
  return { offset: 0, length: 1 };
}

/** Where the value at an offset of a resolved text comes from; undefined for the config's own. */
export function originAt(
  text: string,
  origins: readonly Origin[],
  offset: number,
): Origin | undefined {
  const tree = parseStrictTree(text);
  return origins.find(({ path }) => {
    const node = tree && findNodeAtLocation(tree, [...path]);
    // A section that came as a whole is pointed at by its key too.
    const start = typeof path.at(-1) === 'string' ? node?.parent?.offset : node?.offset;
    return node && start !== undefined && start <= offset && offset <= node.offset + node.length;
  });
}

function nestsTooDeep(tree: Node): boolean {
  let level: readonly Node[] = [tree];
  const path: number[] = [];
  while (level.length > 0) {
    // A property is a level of the tree between an object and its value.
    if (isTooDeep(path)) return true;
    path.push(0);
    level = level.flatMap((node) => node.children ?? []);
  }
  return false;
}
