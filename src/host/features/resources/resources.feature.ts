import { CommandFeature } from '../../platform/commandFeature';
import type { FleetTools } from '../../platform/fleetTools';
import { createLocation, deleteLocation, renameLocation } from './commands/locationCommands';
import { openLocationSecrets } from './commands/locationSecrets';
import { createMachine, deleteMachine, renameMachine } from './commands/machineCommands';
import { moveLocation } from './commands/moveLocation';
import { moveLocations } from './commands/moveLocations';
import { openOrganizationSettings } from './commands/openOrganizationSettings';
import {
  createOrganization,
  deleteOrganization,
  renameOrganization,
} from './commands/organizationCommands';
import {
  copyPartFqdn,
  createPart,
  deletePart,
  markPartAsMain,
  markPartForRestart,
  renamePart,
} from './commands/partCommands';
import { copyPartCredentials, openPartSecrets } from './commands/partSecrets';
import { restartMachine } from './commands/restartMachine';
import { setLocationRegion } from './commands/setLocationRegion';
import { shareLocation, showLocationAccess, unshareLocation } from './commands/sharing';
import { showAppContent } from './commands/showAppContent';

/** Creating, renaming, moving and deleting what a fleet consists of. */
export class ResourcesFeature extends CommandFeature {
  constructor(tools: FleetTools) {
    super(tools.commands);
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
  }

  private registerSettings(tools: FleetTools): void {
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
