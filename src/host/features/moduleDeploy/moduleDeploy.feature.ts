import { CommandFeature } from '../../platform/commandFeature';
import { type DeployOptions, deployTools } from '../../platform/deploy/deployTools';

/** Puts modules of the registry on machines, as edits of their configs that a person reviews. */
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
