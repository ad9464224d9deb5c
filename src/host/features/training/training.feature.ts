import { CommandFeature } from '../../platform/commandFeature';
import type { FleetTools } from '../../platform/fleetTools';

// Loaded when one of its commands is called first.
const cancelJob = () => import('./commands/cancelJob');
const deleteJob = () => import('./commands/deleteJob');

/** What is done with training jobs once they were submitted. */
export class TrainingFeature extends CommandFeature {
  constructor(tools: FleetTools) {
    super(tools.commands);
    this.command('fleetwright.training.cancel', async (job) =>
      (await cancelJob()).cancelJob(tools, job),
    );
    this.command('fleetwright.training.delete', async (job) =>
      (await deleteJob()).deleteJob(tools, job),
    );
  }
}
