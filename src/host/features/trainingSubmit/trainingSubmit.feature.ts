import { CommandFeature } from '../../platform/commands/commandRegistry';
import type { TrainingSubmitTools } from './submitTarget';

/** Submits training jobs for models. Loaded on first use. */
export class TrainingSubmitFeature extends CommandFeature {
  constructor(tools: TrainingSubmitTools) {
    super(tools.commands);
    this.command('fleetwright.training.submit', async (argument) => {
      const { submitTraining } = await import('./submitTraining');
      await submitTraining(tools, argument);
    });
    this.command('fleetwright.training.submitCustom', async (argument) => {
      const { submitCustom } = await import('./submitCustom');
      await submitCustom(tools, argument);
    });
  }
}
