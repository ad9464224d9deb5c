import { CommandFeature } from '../../platform/commandFeature';
import { LastPart } from '../../platform/deploy/lastPart';
import { RestartOffers } from '../../platform/deploy/restartOffers';
import type { ModelDeployOptions, ModelDeployTools } from './modelDeployTools';

/** Puts trained models on machines, as edits of their configs that a person reviews. */
export class ModelDeployFeature extends CommandFeature {
  constructor({ storage, ...tools }: ModelDeployOptions) {
    super(tools.commands);
    const deployTools: ModelDeployTools = {
      ...tools,
      lastPart: new LastPart(storage, tools.sessions),
      restarts: this.register(new RestartOffers(tools.commands)),
    };
    this.command('fleetwright.model.deploy', async (given, version) => {
      const { deployModel } = await import('./deployModel');
      await deployModel(deployTools, given, version);
    });
  }
}
