import { CommandFeature } from '../../platform/commandFeature';
import { type DeployOptions, deployTools } from '../../platform/deploy/deployTools';

/** Deploys trained models to machines, as edits of their configs that the user reviews. */
export class ModelDeployFeature extends CommandFeature {
  constructor(options: DeployOptions) {
    super(options.commands);
    const tools = deployTools(options);
    this.command('fleetwright.model.deploy', async (given, version) => {
      const { deployModel } = await import('./deployModel');
      await deployModel(tools, given, version);
    });
  }
}
