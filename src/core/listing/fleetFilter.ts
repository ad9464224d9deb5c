import type { OnlineStatus } from '../model/entities';

/** Filter for a fleet. */
export interface FleetFilter {
  /** Words that must all occur in the name, ID, or path of a resource, ignoring case. */
  readonly text: string;
  /** Statuses of machines; empty for all statuses. */
  readonly statuses: readonly OnlineStatus[];
}

export const NO_FILTER: FleetFilter = { text: '', statuses: [] };

/** Returns true if a filter excludes anything. */
export function isFiltering({ text, statuses }: FleetFilter): boolean {
  return text.trim() !== '' || statuses.length > 0;
}

/** Returns the words of a filter for `matchesWords`. */
export function toSearchWords({ text }: FleetFilter): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/**
 * Minimum length of a word that is also searched for in IDs. Shorter words can occur in IDs by
 * chance.
 */
const SHORTEST_ID_PIECE = 6;

/**
 * Returns true if each word occurs in one of the texts or, if the word is long enough, in the ID.
 */
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
