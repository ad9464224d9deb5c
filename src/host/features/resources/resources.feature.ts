import { CommandFeature } from '../../platform/commands/commandRegistry';
import type { FleetTools } from '../../platform/fleetTools';
import type { ConnectTools } from './commands/machineCommands';

// Loaded on first use of one of its commands.
const organizationCommands = () => import('./commands/organizationCommands');
const locationCommands = () => import('./commands/locationCommands');
const moveLocation = () => import('./commands/moveLocation');
const machineCommands = () => import('./commands/machineCommands');
const partCommands = () => import('./commands/partCommands');
const showAppContent = () => import('./commands/showAppContent');
const openOrganizationSettings = () => import('./commands/organizationSettings');
const secretCommands = () => import('./commands/secretCommands');
const sharing = () => import('./commands/sharing');

/** Commands for creating, renaming, moving, and deleting fleet resources. */
export class ResourcesFeature extends CommandFeature {
  constructor(tools: ConnectTools) {
    super(tools.commands);
    this.registerSettings(tools);
    this.command('fleetwright.organization.create', async () =>
      (await organizationCommands()).createOrganization(tools),
    );
    this.command('fleetwright.organization.rename', async (target) =>
      (await organizationCommands()).renameOrganization(tools, target),
    );
    this.command('fleetwright.organization.delete', async (target) =>
      (await organizationCommands()).deleteOrganization(tools, target),
    );
    this.command('fleetwright.location.create', async (target) =>
      (await locationCommands()).createLocation(tools, target),
    );
    this.command('fleetwright.location.rename', async (target) =>
      (await locationCommands()).renameLocation(tools, target),
    );
    this.command('fleetwright.location.move', async (target, selected) =>
      (await moveLocation()).moveLocation(tools, target, selected),
    );
    this.command('fleetwright.location.moveInto', async (locations, destination) =>
      (await moveLocation()).moveLocations(tools, locations, destination),
    );
    this.command('fleetwright.location.delete', async (target) =>
      (await locationCommands()).deleteLocation(tools, target),
    );
    this.command('fleetwright.machine.create', async (target) =>
      (await machineCommands()).createMachine(tools, target),
    );
    this.command('fleetwright.machine.rename', async (target) =>
      (await machineCommands()).renameMachine(tools, target),
    );
    this.command('fleetwright.machine.delete', async (target) =>
      (await machineCommands()).deleteMachine(tools, target),
    );
    this.command('fleetwright.part.create', async (target) =>
      (await partCommands()).createPart(tools, target),
    );
    this.command('fleetwright.part.rename', async (target) =>
      (await partCommands()).renamePart(tools, target),
    );
    this.command('fleetwright.part.delete', async (target) =>
      (await partCommands()).deletePart(tools, target),
    );
    this.command('fleetwright.part.markAsMain', async (target) =>
      (await partCommands()).markPartAsMain(tools, target),
    );
    this.command('fleetwright.part.markForRestart', async (target) =>
      (await partCommands()).markPartForRestart(tools, target),
    );
    this.command('fleetwright.part.copyFqdn', async (target) =>
      (await partCommands()).copyPartFqdn(tools, target),
    );
    this.command('fleetwright.part.showConnectPage', async (target) =>
      (await machineCommands()).showConnectPage(tools, target),
    );
  }

  private registerSettings(tools: FleetTools): void {
    this.command('fleetwright.app.show', async () =>
      (await showAppContent()).showAppContent(tools),
    );
    this.command('fleetwright.organization.openSettings', async (target) =>
      (await openOrganizationSettings()).openOrganizationSettings(tools, target),
    );
    this.command('fleetwright.location.openSecrets', async (target) =>
      (await secretCommands()).openLocationSecrets(tools, target),
    );
    this.command('fleetwright.location.setRegion', async (target) =>
      (await locationCommands()).setLocationRegion(tools, target),
    );
    this.command('fleetwright.location.share', async (target) =>
      (await sharing()).shareLocation(tools, target),
    );
    this.command('fleetwright.location.unshare', async (target) =>
      (await sharing()).unshareLocation(tools, target),
    );
    this.command('fleetwright.location.showAccess', async (target) =>
      (await sharing()).showLocationAccess(tools, target),
    );
    this.command('fleetwright.machine.restart', async (target) =>
      (await machineCommands()).restartMachine(tools, target),
    );
    this.command('fleetwright.part.openSecrets', async (target) =>
      (await secretCommands()).openPartSecrets(tools, target),
    );
    this.command('fleetwright.part.copyCredentials', async (target) =>
      (await secretCommands()).copyPartCredentials(tools, target),
    );
  }
}
