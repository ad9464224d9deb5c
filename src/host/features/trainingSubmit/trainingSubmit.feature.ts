import { CommandFeature } from '../../platform/commandFeature';
import type { TrainingSubmitTools } from './submitTools';

/** Submits model trainings. Loaded on first use. */
export class TrainingSubmitFeature extends CommandFeature {
  constructor(tools: TrainingSubmitTools) {
    super(tools.commands);
    this.command('fleetwright.training.submit', async (given) => {
      const { submitTraining } = await import('./submitTraining');
      await submitTraining(tools, given);
    });
    this.command('fleetwright.training.submitCustom', async (given) => {
      const { submitCustom } = await import('./submitCustom');
      await submitCustom(tools, given);
    });
  }
}
