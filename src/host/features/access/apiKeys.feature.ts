import { CommandFeature } from '../../platform/commandFeature';
import type { ApiKeyTools } from './apiKeyTools';
import {
  createApiKey,
  deleteApiKey,
  duplicateApiKey,
  rotateApiKey,
} from './commands/apiKeyCommands';
import { showMachineApiKeys } from './commands/showMachineApiKeys';

/** The keys that programs, machines and this product itself sign in with. */
export class ApiKeysFeature extends CommandFeature {
  constructor(tools: ApiKeyTools) {
    super(tools.commands);
    this.command('fleetwright.apiKey.create', (target) => createApiKey(tools, target));
    this.command('fleetwright.apiKey.duplicate', (target) => duplicateApiKey(tools, target));
    this.command('fleetwright.apiKey.rotate', (target) => rotateApiKey(tools, target));
    this.command('fleetwright.apiKey.delete', (target) => deleteApiKey(tools, target));
    this.command('fleetwright.machine.showApiKeys', (target) => showMachineApiKeys(tools, target));
  }
}
