import type { Localizer } from '../../base/localizer';
import type { ConfigPath, SyntaxNode } from '../fragments/configValue';
import {
  CHECKED_SECTIONS,
  type ConfigRejection,
  findRejections,
  MAX_JSON_DEPTH,
  MAX_JSON_MEBIBYTES,
} from '../validation/configStructure';
import { type ConfigNode, type ConfigProblem, elementsOf, membersOf } from './configDiagnostic';
import { describeTypes } from './typeRules';

const BYTES_PER_MEBIBYTE = 1024 * 1024;

/** Number of values per step. */
const STEP_VALUES = 500;

/**
 * Finds the reason that the service rejects a config regardless of its keys: its size, or the depth
 * of its values. The first problem is enough.
 */
export function* findLimitProblems(
  config: ConfigNode,
  l10n: Localizer,
): Generator<ConfigProblem | undefined, void, void> {
  // A character has at least one byte. The service counts the bytes of the text.
  if (config.node.length > MAX_JSON_MEBIBYTES * BYTES_PER_MEBIBYTE) {
    const message = l10n.t(
      'The config is larger than {0} MiB, so the service rejects it. Move a part of it to a fragment.',
      String(MAX_JSON_MEBIBYTES),
    );
    yield { code: 'tooLarge', at: config, mark: { ...config.node, length: 1 }, message };
    return;
  }
  // A `JsonNode` knows the depth of its tree, which is at least that of its values.
  if (config.node.isDeeperThan?.(MAX_JSON_DEPTH - 1) === false) return;
  // Without the paths and members that other rules need, because there can be 100,000 values.
  const waiting: { readonly node: SyntaxNode; readonly depth: number }[] = [
    { node: config.node, depth: 1 },
  ];
  for (let count = 1; ; count += 1) {
    const next = waiting.pop();
    if (!next) return;
    const { node, depth } = next;
    if (depth > MAX_JSON_DEPTH) {
      yield createDepthProblem(node, l10n);
      return;
    }
    for (const child of (node.children ?? []).toReversed()) {
      const inner = child.type === 'property' ? child.children?.[1] : child;
      if (inner?.children) waiting.push({ node: inner, depth: depth + 1 });
    }
    if (count % STEP_VALUES === 0) yield;
  }
}

function createDepthProblem(node: SyntaxNode, l10n: Localizer): ConfigProblem {
  // Mark the key, because the value can be pages long.
  const key = node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
  const mark = key ?? { ...node, length: 1 };
  const message = l10n.t(
    'The values are nested more than {0} levels deep, so the service rejects the config. Reduce the nesting.',
    String(MAX_JSON_DEPTH),
  );
  return { code: 'tooDeep', at: { node, path: findPath(node) }, mark, message };
}

function findPath({ parent, offset }: SyntaxNode): ConfigPath {
  if (!parent) return [];
  const outer = findPath(parent);
  if (parent.type === 'property') return [...outer, String(parent.children?.[0]?.value)];
  if (parent.type !== 'array') return outer;
  return [...outer, (parent.children ?? []).findIndex((child) => child.offset === offset)];
}

/** Finds the parts of a config's structure that the service rejects, in steps. */
export function* findStructureProblems(
  config: ConfigNode,
  l10n: Localizer,
): Generator<ConfigProblem | undefined, void, void> {
  const sections = membersOf(config);
  // Listing the entries of a section once per problem would take quadratic time.
  const entries = new Map<string, readonly ConfigNode[]>();
  for (const rejection of findRejections(yield* toOutline(config))) {
    const [name, index, key] = rejection.path;
    let at = sections.get(name) as ConfigNode | undefined;
    if (at && index !== undefined) {
      const list = entries.get(name) ?? elementsOf(at);
      entries.set(name, list);
      at = list[index];
    }
    if (at && key !== undefined) at = membersOf(at).get(key);
    const code = rejection.kind === 'duplicateName' ? 'rejectedName' : 'rejectedStructure';
    yield at && { code, at, message: formatRejection(rejection, l10n) };
  }
}

function formatRejection({ kind, path, name }: ConfigRejection, l10n: Localizer): string {
  const steps = path.filter((step) => step !== undefined);
  switch (kind) {
    case 'notAList':
      return describeTypes(steps, ['array'], l10n);
    case 'notAnObject':
      return describeTypes(steps, ['object'], l10n);
    case 'notAFragment':
      return l10n.t('A fragment must be an ID or an object with an "id".');
    case 'nameNotAString':
      return describeTypes(steps, ['string'], l10n);
    case 'duplicateName':
      return l10n.t(
        'The name "{0}" is used twice, so the service rejects the config. Rename one of the entries.',
        name,
      );
  }
}

/** Returns the values of a config that `findRejections` reads, without converting the others. */
function* toOutline(config: ConfigNode): Generator<undefined, Record<string, unknown>, void> {
  const sections = membersOf(config);
  const outline: [string, unknown][] = [];
  for (const name of CHECKED_SECTIONS) {
    const section = sections.get(name);
    if (!section) continue;
    const { type, children = [] } = section.node;
    if (type !== 'array') {
      outline.push([name, toEntry(section.node)]);
      continue;
    }
    const entries: unknown[] = [];
    for (const child of children) {
      entries.push(toEntry(child));
      yield;
    }
    outline.push([name, entries]);
  }
  return Object.fromEntries(outline);
}

function toEntry(node: SyntaxNode): unknown {
  if (node.type === 'array') return [];
  if (node.type !== 'object') return node.value;
  const members = membersOf({ node, path: [] });
  return Object.fromEntries(
    ['name', 'id'].flatMap((key): [string, unknown][] => {
      const member = members.get(key);
      return member ? [[key, toValue(member.node)]] : [];
    }),
  );
}

function toValue(node: SyntaxNode): unknown {
  if (node.type === 'array') return (node.children ?? []).map(toValue);
  if (node.type !== 'object') return node.value;
  const members = membersOf({ node, path: [] });
  return Object.fromEntries([...members].map(([key, member]) => [key, toValue(member.node)]));
}
