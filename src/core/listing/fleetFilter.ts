import type { OnlineStatus } from '../model/entities';

/** What of a fleet is wanted. */
export interface FleetFilter {
  /** Words that must all be in the name, the id or the place of something, in any case. */
  readonly text: string;
  /** Statuses of machines; empty for all. */
  readonly statuses: readonly OnlineStatus[];
}

export const NO_FILTER: FleetFilter = { text: '', statuses: [] };

/** Whether a filter leaves anything out. */
export function isFiltering({ text, statuses }: FleetFilter): boolean {
  return text.trim() !== '' || statuses.length > 0;
}

/** The words of a filter as `matchesWords` takes them. */
export function wordsOf({ text }: FleetFilter): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** So much of an id tells it from a word that only happens to be in one. */
const SHORTEST_ID_PIECE = 6;

/** Whether each word is in one of the texts, or a long one in the id. */
export function matchesWords(
  words: readonly string[],
  texts: readonly string[],
  id: string,
): boolean {
  if (words.length === 0) return true;
  const all = texts.join('\n').toLowerCase();
  return words.every(
    (word) =>
      all.includes(word) || (word.length >= SHORTEST_ID_PIECE && id.toLowerCase().includes(word)),
  );
}
