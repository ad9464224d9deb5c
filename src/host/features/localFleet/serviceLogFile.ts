import { join } from 'node:path';

/** Where the service of a data directory writes what it does, since its last start. */
export function logFileOf(dataDirectory: string): string {
  return join(dataDirectory, 'service.log');
}
