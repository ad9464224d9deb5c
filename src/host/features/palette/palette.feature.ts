import type { ResourceKind, ResourceTarget } from '../../../core/model/resourceTarget';
import type { CommandArguments, CommandId } from '../../../manifest/commands';
import { CommandFeature } from '../../platform/commands/commandRegistry';
import type { FleetTools } from '../../platform/fleetTools';

type Tools = Pick<FleetTools, 'commands' | 'pickTarget'>;

/** Command whose only required argument is a target of this type. */
type CommandOn<Target> = {
  [Id in CommandId]: [Target] extends CommandArguments<Id> ? Id : never;
}[CommandId];

/** Command for each kind of resource. */
type ByKind = { readonly [Target in ResourceTarget as Target['kind']]?: CommandOn<Target> };

/**
 * Commands in the Command Palette, mapped to the tree commands that they run for each kind of
 * resource.
 */
const BY_KIND = {
  'fleetwright.resource.delete': {
    organization: 'fleetwright.organization.delete',
    location: 'fleetwright.location.delete',
    machine: 'fleetwright.machine.delete',
    part: 'fleetwright.part.delete',
    fragment: 'fleetwright.fragment.delete',
    dataset: 'fleetwright.dataset.delete',
    registryItem: 'fleetwright.registryItem.delete',
  },
  'fleetwright.resource.openConfig': {
    machine: 'fleetwright.machine.openConfig',
    part: 'fleetwright.part.openConfig',
    fragment: 'fleetwright.fragment.openConfig',
  },
  'fleetwright.resource.openMetadata': {
    organization: 'fleetwright.organization.openMetadata',
    location: 'fleetwright.location.openMetadata',
    machine: 'fleetwright.machine.openMetadata',
    part: 'fleetwright.part.openMetadata',
  },
  'fleetwright.resource.openSecrets': {
    location: 'fleetwright.location.openSecrets',
    part: 'fleetwright.part.openSecrets',
  },
  'fleetwright.resource.rename': {
    organization: 'fleetwright.organization.rename',
    location: 'fleetwright.location.rename',
    machine: 'fleetwright.machine.rename',
    part: 'fleetwright.part.rename',
    fragment: 'fleetwright.fragment.rename',
    dataset: 'fleetwright.dataset.rename',
  },
  'fleetwright.resource.restart': {
    machine: 'fleetwright.machine.restart',
    part: 'fleetwright.part.markForRestart',
  },
  'fleetwright.resource.showLogs': {
    machine: 'fleetwright.machine.showLogs',
    part: 'fleetwright.part.showLogs',
  },
} as const satisfies Partial<Record<CommandId, ByKind>>;

/**
 * Commands in the Command Palette that prompt for a resource and then run the command for its kind.
 */
export class PaletteFeature extends CommandFeature {
  constructor(tools: Tools) {
    super(tools.commands);
    for (const id of Object.keys(BY_KIND) as (keyof typeof BY_KIND)[]) {
      this.command(id, () => runOnPicked(tools, BY_KIND[id]));
    }
    this.command('fleetwright.registryItem.deploy', async () => {
      const { promptForDeployment } = await import('./promptForRegistryCommand');
      await tools.commands.execute(await promptForDeployment());
    });
    this.command('fleetwright.registryItem.edit', async () => {
      const target = await tools.pickTarget('registryItem');
      const { promptForProperty } = await import('./promptForRegistryCommand');
      await tools.commands.execute(await promptForProperty(target.name), target);
    });
  }
}

async function runOnPicked({ commands, pickTarget }: Tools, byKind: ByKind): Promise<void> {
  const target = await pickTarget(Object.keys(byKind) as ResourceKind[]);
  const id = byKind[target.kind];
  if (id) await commands.execute<CommandId>(id, target);
}
