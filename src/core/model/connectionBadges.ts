import type { Connection } from './connection';
import type { ConnectionId } from './ids';

/** Maximum number of characters that VS Code accepts. */
const MAX_CHARACTERS = 2;
const WORDS = /[\p{L}\p{N}]+/gu;

/**
 * Returns a badge of one or two characters for each connection to distinguish them. The badge
 * contains the initials of the connection's label, or a number if another connection has the same
 * initials. A single connection has no badge.
 */
export function connectionBadges(
  connections: readonly Pick<Connection, 'id' | 'label'>[],
): ReadonlyMap<ConnectionId, string> {
  if (connections.length < 2) return new Map();
  const initials = connections.map(({ label }) => getInitials(label));
  const badges = connections.map(({ id }, index) => {
    const own = initials[index] ?? '';
    const isOwn = own !== '' && initials.indexOf(own) === initials.lastIndexOf(own);
    return [id, isOwn ? own : String(index + 1)] as const;
  });
  return new Map(badges);
}

function getInitials(label: string): string {
  const words = (label.match(WORDS) ?? []).map((word) => Array.from(word.toUpperCase()));
  const [first = [], second] = words;
  const characters = second ? [first[0], second[0]] : first;
  return characters.slice(0, MAX_CHARACTERS).join('');
}
