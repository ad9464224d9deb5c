import { join } from 'node:path';

/**
 * Returns the log file of a data directory's service, which contains messages only since the last
 * start.
 */
export function getLogFile(dataDirectory: string): string {
  return join(dataDirectory, 'service.log');
}
