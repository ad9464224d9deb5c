import { CommandFeature } from '../../platform/commandFeature';
import type { ApiKeyTools } from './apiKeyTools';

// Loaded when one of its commands first runs.
const apiKeyCommands = () => import('./commands/apiKeyCommands');
const showMachineApiKeys = () => import('./commands/showMachineApiKeys');

/** Feature for the API keys that programs, machines, and this extension use to sign in. */
export class ApiKeysFeature extends CommandFeature {
  constructor(tools: ApiKeyTools) {
    super(tools.commands);
    this.command('fleetwright.apiKey.create', async (target) =>
      (await apiKeyCommands()).createApiKey(tools, target),
    );
    this.command('fleetwright.apiKey.duplicate', async (target) =>
      (await apiKeyCommands()).duplicateApiKey(tools, target),
    );
    this.command('fleetwright.apiKey.rotate', async (target) =>
      (await apiKeyCommands()).rotateApiKey(tools, target),
    );
    this.command('fleetwright.apiKey.delete', async (target) =>
      (await apiKeyCommands()).deleteApiKey(tools, target),
    );
    this.command('fleetwright.machine.showApiKeys', async (target) =>
      (await showMachineApiKeys()).showMachineApiKeys(tools, target),
    );
  }
}
