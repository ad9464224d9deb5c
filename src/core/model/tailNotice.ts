import type { LogEntry } from './logEntry';

/**
 * Logger name for the lines in which our service reports that a tail has dropped lines. The field
 * `missed` contains the number of dropped lines, because the wire messages have no field for it.
 */
export const TAIL_LOGGER = 'fleetwright.tail';

/** Returns the number of dropped lines if the entry reports it; otherwise undefined. */
export function missedLines({ logger, fields }: LogEntry): number | undefined {
  if (logger !== TAIL_LOGGER || fields === '') return undefined;
  const parsedFields: unknown = JSON.parse(fields);
  const missed =
    typeof parsedFields === 'object' && parsedFields && 'missed' in parsedFields
      ? parsedFields.missed
      : undefined;
  return typeof missed === 'number' && Number.isInteger(missed) ? missed : undefined;
}
