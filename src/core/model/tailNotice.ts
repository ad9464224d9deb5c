import type { LogEntry } from './logEntry';

/**
 * The logger of the line in which our service says how many lines a tail had to leave out, as the
 * field `missed`: the wire has no other place for it.
 */
export const TAIL_LOGGER = 'fleetwright.tail';

/** How many lines were left out, when that is what a line says. */
export function missedLines({ logger, fields }: LogEntry): number | undefined {
  if (logger !== TAIL_LOGGER || fields === '') return undefined;
  const told: unknown = JSON.parse(fields);
  const missed = typeof told === 'object' && told && 'missed' in told ? told.missed : undefined;
  return typeof missed === 'number' && Number.isInteger(missed) ? missed : undefined;
}
