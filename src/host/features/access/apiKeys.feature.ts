import { Disposable } from '../../../base/disposable';
import type { Commands } from '../../platform/commandRegistry';
import type { ApiKeyTools } from './apiKeyTools';
import {
  createApiKey,
  deleteApiKey,
  duplicateApiKey,
  rotateApiKey,
} from './commands/apiKeyCommands';
import { showMachineApiKeys } from './commands/machineApiKeys';

/** The keys that programs, machines and this product itself sign in with. */
export class ApiKeysFeature extends Disposable {
  constructor(
    private readonly commands: Commands,
    tools: ApiKeyTools,
  ) {
    super();
    const { register } = this.registrar();
    register('fleetwright.apiKey.create', (target) => createApiKey(tools, target));
    register('fleetwright.apiKey.duplicate', (target) => duplicateApiKey(tools, target));
    register('fleetwright.apiKey.rotate', (target) => rotateApiKey(tools, target));
    register('fleetwright.apiKey.delete', (target) => deleteApiKey(tools, target));
    register('fleetwright.machine.showApiKeys', (target) => showMachineApiKeys(tools, target));
  }

  private registrar(): { readonly register: Commands['register'] } {
    return { register: (id, handler) => this.register(this.commands.register(id, handler)) };
  }
}
