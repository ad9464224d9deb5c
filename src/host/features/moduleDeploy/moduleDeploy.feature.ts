import { CommandFeature } from '../../platform/commandFeature';
import { LastPart } from '../../platform/deploy/lastPart';
import type { DeployTools, ModuleDeployOptions } from './deployTools';
import { RestartOffers } from '../../platform/deploy/restartOffers';

/** Puts modules of the registry on machines, as edits of their configs that a person reviews. */
export class ModuleDeployFeature extends CommandFeature {
  constructor({ storage, ...tools }: ModuleDeployOptions) {
    super(tools.commands);
    const deployTools: DeployTools = {
      ...tools,
      lastPart: new LastPart(storage, tools.sessions),
      restarts: this.register(new RestartOffers(tools.commands)),
    };
    this.command('fleetwright.module.deploy', async (given, version) => {
      const { deployToMachine } = await import('./deployToMachine');
      await deployToMachine(deployTools, given, version);
    });
  }
}
