import { CommandFeature } from '../../platform/commandFeature';
import { type DeployOptions, deployTools } from '../../platform/deploy/deployTools';

/** Deploys registry modules to machines, as edits of their configs that the user reviews. */
export class ModuleDeployFeature extends CommandFeature {
  constructor(options: DeployOptions) {
    super(options.commands);
    const tools = deployTools(options);
    this.command('fleetwright.module.deploy', async (given, version) => {
      const { deployToMachine } = await import('./deployToMachine');
      await deployToMachine(tools, given, version);
    });
  }
}
