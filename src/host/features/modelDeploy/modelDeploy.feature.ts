import { CommandFeature } from '../../platform/commands/commandRegistry';
import { type DeployOptions, deployTools } from '../../platform/deploy/deployTools';

/** Deploys trained models to machines, as edits to their configs that the user reviews. */
export class ModelDeployFeature extends CommandFeature {
  constructor(options: DeployOptions) {
    super(options.commands);
    const tools = deployTools(options);
    this.command('fleetwright.model.deploy', async (argument, version) => {
      const { deployModel } = await import('./deployModel');
      await deployModel(tools, argument, version);
    });
  }
}
