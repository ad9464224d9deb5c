import { Disposable } from '../../../base/disposable';
import type { Commands } from '../../platform/commandRegistry';
import { showAppContent } from './commands/appCommands';
import { createFragment, deleteFragment, renameFragment } from './commands/fragmentCommands';
import { createLocation, deleteLocation, renameLocation } from './commands/locationCommands';
import { openLocationSecrets } from './commands/locationSecrets';
import { moveLocation } from './commands/moveLocation';
import { moveLocations } from './commands/moveLocations';
import { createMachine, deleteMachine, renameMachine } from './commands/machineCommands';
import { restartMachine } from './commands/machineRestart';
import {
  createOrganization,
  deleteOrganization,
  renameOrganization,
} from './commands/organizationCommands';
import { openOrganizationSettings } from './commands/organizationSettings';
import {
  copyPartFqdn,
  createPart,
  deletePart,
  markPartAsMain,
  markPartForRestart,
  renamePart,
} from './commands/partCommands';
import { copyPartCredentials, openPartSecrets } from './commands/partSecrets';
import { setLocationRegion } from './commands/region';
import { shareLocation, showLocationAccess, unshareLocation } from './commands/sharing';
import type { ResourceTools } from './resourceCommand';

/** Creating, renaming, moving and deleting what a fleet consists of. */
export class ResourcesFeature extends Disposable {
  constructor(
    private readonly commands: Commands,
    tools: ResourceTools,
  ) {
    super();
    const { register } = this.registrar();
    this.registerSettings(tools);
    register('fleetwright.organization.create', () => createOrganization(tools));
    register('fleetwright.organization.rename', (target) => renameOrganization(tools, target));
    register('fleetwright.organization.delete', (target) => deleteOrganization(tools, target));
    register('fleetwright.location.create', (target) => createLocation(tools, target));
    register('fleetwright.location.rename', (target) => renameLocation(tools, target));
    register('fleetwright.location.move', (target, selected) =>
      moveLocation(tools, target, selected),
    );
    register('fleetwright.location.moveInto', (locations, destination) =>
      moveLocations(tools, locations, destination),
    );
    register('fleetwright.location.delete', (target) => deleteLocation(tools, target));
    register('fleetwright.machine.create', (target) => createMachine(tools, target));
    register('fleetwright.machine.rename', (target) => renameMachine(tools, target));
    register('fleetwright.machine.delete', (target) => deleteMachine(tools, target));
    register('fleetwright.part.create', (target) => createPart(tools, target));
    register('fleetwright.part.rename', (target) => renamePart(tools, target));
    register('fleetwright.part.delete', (target) => deletePart(tools, target));
    register('fleetwright.part.markAsMain', (target) => markPartAsMain(tools, target));
    register('fleetwright.part.markForRestart', (target) => markPartForRestart(tools, target));
    register('fleetwright.part.copyFqdn', (target) => copyPartFqdn(tools, target));
    register('fleetwright.fragment.create', (target) => createFragment(tools, target));
    register('fleetwright.fragment.rename', (target) => renameFragment(tools, target));
    register('fleetwright.fragment.delete', (target) => deleteFragment(tools, target));
  }

  private registerSettings(tools: ResourceTools): void {
    const { register } = this.registrar();
    register('fleetwright.app.show', () => showAppContent(tools));
    register('fleetwright.organization.openSettings', (target) =>
      openOrganizationSettings(tools, target),
    );
    register('fleetwright.location.openSecrets', (target) => openLocationSecrets(tools, target));
    register('fleetwright.location.setRegion', (target) => setLocationRegion(tools, target));
    register('fleetwright.location.share', (target) => shareLocation(tools, target));
    register('fleetwright.location.unshare', (target) => unshareLocation(tools, target));
    register('fleetwright.location.showAccess', (target) => showLocationAccess(tools, target));
    register('fleetwright.machine.restart', (target) => restartMachine(tools, target));
    register('fleetwright.part.openSecrets', (target) => openPartSecrets(tools, target));
    register('fleetwright.part.copyCredentials', (target) => copyPartCredentials(tools, target));
  }

  private registrar(): { readonly register: Commands['register'] } {
    return { register: (id, handler) => this.register(this.commands.register(id, handler)) };
  }
}
