import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceCredentials } from '../../../scripts/support/serviceProcess';
import type { VsCode } from './vsCode';

/** Returns the owner's key for the fleet that VS Code started on this computer. */
export function localFleetCredentials({ dataFolder }: VsCode): ServiceCredentials {
  const storage = join(dataFolder, 'user', 'User', 'globalStorage', 'fleetwright.fleetwright');
  const file = join(storage, 'localFleet', 'credentials.json');
  return JSON.parse(readFileSync(file, 'utf8')) as ServiceCredentials;
}
