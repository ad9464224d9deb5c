import { diff3Merge } from 'node-diff3';
import {
  getElements,
  getMembers,
  getSource,
  identifiedElements,
  type JsonMember,
  type JsonValue,
  parseJsonValue,
  sameValue,
} from './jsonText';
import { detectLineEnding } from './textLayout';

export type MergeSide = 'mine' | 'theirs';

/** Value that the two sides changed in different ways. */
export interface Overlap {
  /** Path from the root of the document: keys, and names of list elements. */
  readonly path: readonly string[];
  /** Value as written; undefined if this side removed it. */
  readonly mine: string | undefined;
  readonly theirs: string | undefined;
}

export interface MergeInput {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

export interface MergeResult {
  /** Merged text, formatted like `mine`. Always valid JSON. */
  readonly text: string;
  readonly overlaps: readonly Overlap[];
}

/**
 * Merges two edited versions of a JSON document by structure: members by key, components and
 * similar entries by name, other lists by position. Applies changes that only one side made;
 * `choose` decides conflicts. Copies values as written, so that numbers keep their digits and
 * strings keep their escapes.
 * @returns undefined if one of the versions isn't strict JSON.
 */
export function mergeJson(
  input: MergeInput,
  choose: (overlap: Overlap) => MergeSide = () => 'mine',
): MergeResult | undefined {
  const [base, mine, theirs] = [input.base, input.mine, input.theirs].map(parseJsonValue);
  if (!base || !mine || !theirs) return undefined;
  const merge = new JsonMerge(choose);
  const merged = merge.value(base, mine, theirs, []);
  return { text: printMerged(merged, input), overlaps: merge.overlaps };
}

/** Merge that was applied to the text of an editor but isn't saved. */
export interface AppliedMerge {
  /** Remote text that was merged. */
  readonly remote: string;
  /** Result of the merge, which replaced the text in the editor. */
  readonly merged: string;
}

/**
 * Returns the base for the next merge of `text` after merges that weren't saved: `base` with those
 * remote changes that the text still contains as they were merged. With the original base, these
 * changes would count as the user's own. With the remote text as the base, changes that the user
 * has undone since would count as changes that the user made.
 * @param merges merges since the base, oldest first. One without strict JSON is ignored, as are all
 *   of them if `text` isn't strict JSON.
 */
export function advanceBase(base: string, merges: readonly AppliedMerge[], text: string): string {
  return merges.reduce((advanced, merge) => advanceBy(merge, advanced, text), base);
}

function advanceBy({ remote, merged }: AppliedMerge, base: string, text: string): string {
  const [ofBase, ofRemote, ofMerged, ofText] = [base, remote, merged, text].map(parseJsonValue);
  if (!ofBase || !ofRemote || !ofMerged || !ofText) return base;
  return printMerged(advanceValue(ofBase, ofRemote, ofMerged, ofText), { mine: base });
}

function advanceValue(
  base: JsonValue | undefined,
  remote: JsonValue | undefined,
  merged: JsonValue | undefined,
  text: JsonValue | undefined,
): Merged | undefined {
  if (sameValue(base, remote) || sameValue(merged, text)) return copy(remote);
  return (remote && merged && text && advanceEntries(base, remote, merged, text)) ?? copy(base);
}

/** Advances the base of objects and lists whose entries have keys; undefined for other values. */
function advanceEntries(
  base: JsonValue | undefined,
  ...others: [remote: JsonValue, merged: JsonValue, text: JsonValue]
): Merged | undefined {
  const [remote] = others;
  const isObject = remote.node.type === 'object';
  const read = isObject ? membersByKey : elementsById;
  const ofBase = base ? read(base) : new Map<string, Entry>();
  const [ofRemote, ofMerged, ofText] = others.map(read);
  if (!ofBase || !ofRemote || !ofMerged || !ofText) return undefined;
  const entries = new Map<string, Required<Entry<Merged>>>();
  for (const key of new Set([...ofBase.keys(), ...ofRemote.keys()])) {
    const sides = [ofBase, ofRemote, ofMerged, ofText].map((side) => side.get(key));
    const [first, second, third, fourth] = sides.map((side) => side?.value);
    const value = advanceValue(first, second, third, fourth);
    const keyText = (sides[0] ?? sides[1])?.keyText ?? '';
    if (value) entries.set(key, { keyText, value });
  }
  const baseKeys = [...ofBase.keys()];
  const order = mergeOrder(baseKeys, baseKeys, [...ofRemote.keys()], new Set(entries.keys()));
  const ordered = order.flatMap((key) => entries.get(key) ?? []);
  return isObject
    ? { kind: 'object', like: remote, members: ordered }
    : { kind: 'list', like: remote, elements: ordered.map(({ value }) => value) };
}

interface Entry<T = JsonValue> {
  /** Key as written, if the entry is a member of an object. */
  readonly keyText?: string;
  readonly value: T;
}

function membersByKey(value: JsonValue): ReadonlyMap<string, Entry> | undefined {
  const members = getMembers(value);
  return members && byKey(members);
}

function elementsById(value: JsonValue): ReadonlyMap<string, Entry> | undefined {
  const elements = getElements(value);
  const byId = elements && identifiedElements(elements);
  return byId && new Map([...byId].map(([id, element]) => [id, { value: element }]));
}

type Sides = readonly [
  base: JsonValue | undefined,
  mine: JsonValue | undefined,
  theirs: JsonValue | undefined,
];

class JsonMerge {
  readonly overlaps: Overlap[] = [];

  constructor(private readonly choose: (overlap: Overlap) => MergeSide) {}

  /** Merges a value. Returns undefined if the result doesn't contain it. */
  value(...[base, mine, theirs, path]: [...Sides, readonly string[]]): Merged | undefined {
    if (sameValue(mine, theirs) || sameValue(base, theirs)) return copy(mine);
    if (sameValue(base, mine)) return copy(theirs);
    const inside =
      mine &&
      theirs &&
      (this.object(base, mine, theirs, path) ?? this.list(base, mine, theirs, path));
    return inside ?? this.overlap(mine, theirs, path);
  }

  private object(
    base: JsonValue | undefined,
    mine: JsonValue,
    theirs: JsonValue,
    path: readonly string[],
  ): Merged | undefined {
    const members = [base ? getMembers(base) : [], getMembers(mine), getMembers(theirs)];
    const [ofBase, ofMine, ofTheirs] = members.map((list) => list && byKey(list));
    if (!ofBase || !ofMine || !ofTheirs) return undefined;
    const merged = this.each(
      ofBase,
      ofMine,
      ofTheirs,
      ({ value }) => value,
      (key) => [...path, key],
    );
    const keyText = (key: string): string =>
      (ofMine.get(key) ?? ofTheirs.get(key))?.keyText ?? JSON.stringify(key);
    return {
      kind: 'object',
      like: mine,
      members: merged.map(([key, value]) => ({ keyText: keyText(key), value })),
    };
  }

  private list(
    base: JsonValue | undefined,
    mine: JsonValue,
    theirs: JsonValue,
    path: readonly string[],
  ): Merged | undefined {
    const lists = [base ? getElements(base) : [], getElements(mine), getElements(theirs)] as const;
    const [ofBase, ofMine, ofTheirs] = lists;
    if (!ofBase || !ofMine || !ofTheirs) return undefined;
    const [byIdBase, byIdMine, byIdTheirs] = lists.map((list) => identifiedElements(list ?? []));
    if (byIdBase && byIdMine && byIdTheirs) {
      const inner = (id: string): readonly string[] => [...path, id];
      const merged = this.each(byIdBase, byIdMine, byIdTheirs, (element) => element, inner);
      return { kind: 'list', like: mine, elements: merged.map(([, value]) => value) };
    }
    const byIndex = mergeByIndex(ofBase, ofMine, ofTheirs);
    return byIndex && { kind: 'list', like: mine, elements: byIndex };
  }

  /**
   * Merges the values in two containers that have the same keys. The result is in the merged order.
   */
  private each<T>(
    base: ReadonlyMap<string, T>,
    mine: ReadonlyMap<string, T>,
    theirs: ReadonlyMap<string, T>,
    valueOf: (source: T) => JsonValue,
    toPath: (key: string) => readonly string[],
  ): [string, Merged][] {
    const at = (source: ReadonlyMap<string, T>, key: string): JsonValue | undefined => {
      const found = source.get(key);
      return found === undefined ? undefined : valueOf(found);
    };
    const merged = new Map<string, Merged>();
    for (const key of new Set([...mine.keys(), ...theirs.keys()])) {
      const value = this.value(at(base, key), at(mine, key), at(theirs, key), toPath(key));
      if (value) merged.set(key, value);
    }
    const mergedKeys = new Set(merged.keys());
    const order = mergeOrder([...base.keys()], [...mine.keys()], [...theirs.keys()], mergedKeys);
    return order.flatMap((key): [string, Merged][] => {
      const value = merged.get(key);
      return value ? [[key, value]] : [];
    });
  }

  private overlap(
    mine: JsonValue | undefined,
    theirs: JsonValue | undefined,
    path: readonly string[],
  ): Merged | undefined {
    const overlap = { path, mine: mine && getSource(mine), theirs: theirs && getSource(theirs) };
    this.overlaps.push(overlap);
    return copy(this.choose(overlap) === 'mine' ? mine : theirs);
  }
}

function mergeByIndex(
  base: readonly JsonValue[],
  mine: readonly JsonValue[],
  theirs: readonly JsonValue[],
): Merged[] | undefined {
  const written = new Map<string, JsonValue>();
  const [ofMine = [], ofBase = [], ofTheirs = []] = [mine, base, theirs].map((list) =>
    list.map((element) => {
      const source = getSource(element);
      if (!written.has(source)) written.set(source, element);
      return source;
    }),
  );
  const merged: Merged[] = [];
  for (const region of diff3Merge(ofMine, ofBase, ofTheirs)) {
    if (!region.ok) return undefined;
    for (const source of region.ok) {
      const element = copy(written.get(source));
      if (element) merged.push(element);
    }
  }
  return merged;
}

function copy(value: JsonValue | undefined): Merged | undefined {
  return value && { kind: 'copy', value };
}

function byKey(members: readonly JsonMember[]): ReadonlyMap<string, JsonMember> {
  return new Map(members.map((member) => [member.key, member]));
}

/**
 * Returns the order of the members in a merged object or list. Uses the order of the side that
 * changed it. If both sides changed it, uses the order in `mine`. Members that exist only on the
 * other side follow the same predecessor as on that side.
 * @param mergedKeys keys of the merged container.
 */
function mergeOrder(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
  mergedKeys: ReadonlySet<string>,
): string[] {
  const [leading, other] = sameRelativeOrder(base, mine) ? [theirs, mine] : [mine, theirs];
  const order = leading.filter((key) => mergedKeys.has(key));
  const orderedKeys = new Set(order);
  other.forEach((key, index) => {
    if (!mergedKeys.has(key) || orderedKeys.has(key)) return;
    const before = other.slice(0, index).findLast((neighbor) => orderedKeys.has(neighbor));
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, key);
    orderedKeys.add(key);
  });
  return order;
}

function sameRelativeOrder(left: readonly string[], right: readonly string[]): boolean {
  const [leftKeys, rightKeys] = [new Set(left), new Set(right)];
  const other = right.filter((key) => leftKeys.has(key));
  return left.filter((key) => rightKeys.has(key)).every((key, index) => other[index] === key);
}

/** Result of a merge: values copied as written, in reformatted containers. */
type Merged =
  | { readonly kind: 'copy'; readonly value: JsonValue }
  | {
      readonly kind: 'object';
      /** Container whose layout the result follows. */
      readonly like: JsonValue;
      readonly members: readonly { readonly keyText: string; readonly value: Merged }[];
    }
  | { readonly kind: 'list'; readonly like: JsonValue; readonly elements: readonly Merged[] };

const DEFAULT_INDENT = '  ';

/** Formats a merge with the indentation, line breaks, and surrounding text from `mine`. */
function printMerged(merged: Merged | undefined, { mine }: { mine: string }): string {
  const unit = /\n([ \t]+)\S/.exec(mine)?.[1] ?? DEFAULT_INDENT;
  const [, before = '', after = ''] = /^(\s*)[^]*?(\s*)$/.exec(mine) ?? [];
  const printed = merged ? print(merged, '', unit) : '{}';
  const eol = detectLineEnding(mine);
  return before + printed.replace(/\r?\n/g, eol) + after;
}

function print(merged: Merged, indent: string, unit: string): string {
  switch (merged.kind) {
    case 'copy':
      return reindent(merged.value, indent);
    case 'object':
      return printContainer(merged.like, '{}', indent, unit, (inner) =>
        merged.members.map(({ keyText, value }) => `${keyText}: ${print(value, inner, unit)}`),
      );
    case 'list':
      return printContainer(merged.like, '[]', indent, unit, (inner) =>
        merged.elements.map((element) => print(element, inner, unit)),
      );
  }
}

/**
 * Prints the container on one line if the original is on one line and no value contains line
 * breaks; otherwise, prints one entry per line.
 */
function printContainer(
  like: JsonValue,
  brackets: '{}' | '[]',
  indent: string,
  unit: string,
  contents: (indent: string) => string[],
): string {
  const [open, close] = [brackets[0], brackets[1]];
  const inner = indent + unit;
  const parts = contents(inner);
  if (parts.length === 0) return brackets;
  const layout = getSource(like);
  const empty = /^.\s*.$/s.test(layout);
  if (!empty && ![layout, ...parts].some((text) => text.includes('\n'))) {
    const padding = /^. /.test(layout) ? ' ' : '';
    return `${open}${padding}${parts.join(', ')}${padding}${close}`;
  }
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}

/** Returns a value as written, with all lines except the first one reindented to `indent`. */
function reindent(value: JsonValue, indent: string): string {
  const lineStart = value.text.lastIndexOf('\n', value.node.offset) + 1;
  const from = /^[ \t]*/.exec(value.text.slice(lineStart))?.[0] ?? '';
  const [first = '', ...rest] = getSource(value).split(/\r?\n/);
  const moved = rest.map(
    (line) => indent + (line.startsWith(from) ? line.slice(from.length) : line.trimStart()),
  );
  return [first, ...moved].join('\n');
}
