import type { JsonChange } from '../../../core/documents/jsonChanges';
import { compactJson } from '../../../core/documents/jsonText';
import type { Revision } from '../../../core/documents/revisionList';

/** The phrases that changes are told in. */
export interface ChangeWords {
  readonly firstVersion: string;
  readonly unknown: string;
  readonly onlyLayout: string;
  readonly everything: string;
  renamed(from: string, to: string): string;
  added(where: string): string;
  removed(where: string): string;
  changed(where: string): string;
  andMore(first: string, others: number): string;
  more(hidden: number): string;
}

/** What an edit changed. */
export interface ChangeText {
  /** One line. */
  readonly summary: string;
  /** All changes, one line each, up to a limit that the last line tells. */
  readonly details: readonly string[];
}

const MAX_DETAILS = 50;
const MAX_VALUE_LENGTH = 60;

export function changeText(revision: Revision, words: ChangeWords): ChangeText {
  const { changes, renamedFrom, name, madeOn } = revision;
  const renamed = renamedFrom === undefined ? [] : [words.renamed(renamedFrom, name)];
  if (changes === undefined) {
    const otherwise = madeOn === undefined ? words.firstVersion : words.unknown;
    return { summary: renamed[0] ?? otherwise, details: renamed };
  }
  const lines = [...renamed, ...changes.map((change) => changeLine(change, words))];
  const [first, ...others] = lines;
  if (first === undefined) return { summary: words.onlyLayout, details: [] };
  const hidden = lines.length - MAX_DETAILS;
  return {
    summary: others.length === 0 ? first : words.andMore(first, others.length),
    details: hidden > 0 ? [...lines.slice(0, MAX_DETAILS), words.more(hidden)] : lines,
  };
}

function changeLine({ kind, path, before, after }: JsonChange, words: ChangeWords): string {
  const where = path.length === 0 ? words.everything : path.join(' › ');
  const [from, to] = [shortValue(before), shortValue(after)];
  switch (kind) {
    case 'added':
      return to === undefined ? words.added(where) : `${words.added(where)}: ${to}`;
    case 'removed':
      return words.removed(where);
    case 'changed':
      return from === undefined || to === undefined
        ? words.changed(where)
        : `${where}: ${from} → ${to}`;
  }
}

function shortValue(value: string | undefined): string | undefined {
  const compact = value === undefined ? undefined : compactJson(value);
  return compact !== undefined && compact.length <= MAX_VALUE_LENGTH ? compact : undefined;
}
