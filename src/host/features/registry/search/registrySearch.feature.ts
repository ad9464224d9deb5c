import { registryItemTarget } from '../../../../core/model/registryItemTarget';
import type { Sleep } from '../../../../core/ports';
import { CommandFeature } from '../../../platform/commandFeature';
import type { FleetTools } from '../../../platform/fleetTools';
import { requireConnection } from '../../../platform/requireConnection';

interface RegistrySearchOptions extends Pick<FleetTools, 'commands' | 'sessions'> {
  readonly sleep: Sleep;
}

/** Search for registry items of all organizations. */
export class RegistrySearchFeature extends CommandFeature {
  constructor(private readonly options: RegistrySearchOptions) {
    super(options.commands);
    this.command('fleetwright.registry.search', () => this.search());
  }

  private async search(): Promise<void> {
    const { commands, sessions, sleep } = this.options;
    const { id } = requireConnection(sessions);
    const { registry } = sessions.stores(id);
    const { RegistryPick } = await import('./registryPick');
    const item = await new RegistryPick({ store: registry, sleep }).run();
    await commands.execute('fleetwright.registryItem.show', registryItemTarget(id, item));
  }
}
