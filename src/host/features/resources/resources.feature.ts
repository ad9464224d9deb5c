import { CommandFeature } from '../../platform/commandFeature';
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
export class ResourcesFeature extends CommandFeature {
  constructor(commands: Commands, tools: ResourceTools) {
    super(commands);
    this.registerSettings(tools);
    this.command('fleetwright.organization.create', () => createOrganization(tools));
    this.command('fleetwright.organization.rename', (target) => renameOrganization(tools, target));
    this.command('fleetwright.organization.delete', (target) => deleteOrganization(tools, target));
    this.command('fleetwright.location.create', (target) => createLocation(tools, target));
    this.command('fleetwright.location.rename', (target) => renameLocation(tools, target));
    this.command('fleetwright.location.move', (target, selected) =>
      moveLocation(tools, target, selected),
    );
    this.command('fleetwright.location.moveInto', (locations, destination) =>
      moveLocations(tools, locations, destination),
    );
    this.command('fleetwright.location.delete', (target) => deleteLocation(tools, target));
    this.command('fleetwright.machine.create', (target) => createMachine(tools, target));
    this.command('fleetwright.machine.rename', (target) => renameMachine(tools, target));
    this.command('fleetwright.machine.delete', (target) => deleteMachine(tools, target));
    this.command('fleetwright.part.create', (target) => createPart(tools, target));
    this.command('fleetwright.part.rename', (target) => renamePart(tools, target));
    this.command('fleetwright.part.delete', (target) => deletePart(tools, target));
    this.command('fleetwright.part.markAsMain', (target) => markPartAsMain(tools, target));
    this.command('fleetwright.part.markForRestart', (target) => markPartForRestart(tools, target));
    this.command('fleetwright.part.copyFqdn', (target) => copyPartFqdn(tools, target));
    this.command('fleetwright.fragment.create', (target) => createFragment(tools, target));
    this.command('fleetwright.fragment.rename', (target) => renameFragment(tools, target));
    this.command('fleetwright.fragment.delete', (target) => deleteFragment(tools, target));
  }

  private registerSettings(tools: ResourceTools): void {
    this.command('fleetwright.app.show', () => showAppContent(tools));
    this.command('fleetwright.organization.openSettings', (target) =>
      openOrganizationSettings(tools, target),
    );
    this.command('fleetwright.location.openSecrets', (target) =>
      openLocationSecrets(tools, target),
    );
    this.command('fleetwright.location.setRegion', (target) => setLocationRegion(tools, target));
    this.command('fleetwright.location.share', (target) => shareLocation(tools, target));
    this.command('fleetwright.location.unshare', (target) => unshareLocation(tools, target));
    this.command('fleetwright.location.showAccess', (target) => showLocationAccess(tools, target));
    this.command('fleetwright.machine.restart', (target) => restartMachine(tools, target));
    this.command('fleetwright.part.openSecrets', (target) => openPartSecrets(tools, target));
    this.command('fleetwright.part.copyCredentials', (target) =>
      copyPartCredentials(tools, target),
    );
  }
}
