import { CommandFeature } from '../../platform/commandFeature';
import { type DeployOptions, deployTools } from '../../platform/deploy/deployTools';

/** Puts trained models on machines, as edits of their configs that a person reviews. */
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
