import type { LogEntry } from './logEntry';

/**
 * Logger of the line in which our service reports how many lines a tail dropped, as the field
 * `missed`: the wire has no other field for it.
 */
export const TAIL_LOGGER = 'fleetwright.tail';

/** Returns the number of dropped lines if the entry is such a report. */
export function missedLines({ logger, fields }: LogEntry): number | undefined {
  if (logger !== TAIL_LOGGER || fields === '') return undefined;
  const told: unknown = JSON.parse(fields);
  const missed = typeof told === 'object' && told && 'missed' in told ? told.missed : undefined;
  return typeof missed === 'number' && Number.isInteger(missed) ? missed : undefined;
}
