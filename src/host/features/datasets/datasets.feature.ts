import { CommandFeature } from '../../platform/commandFeature';
import type { FleetTools } from '../../platform/fleetTools';
import { createDataset, deleteDataset, renameDataset } from './commands/datasetCommands';

/** Named sets of captured data, for training and for export. */
export class DatasetsFeature extends CommandFeature {
  constructor(tools: FleetTools) {
    super(tools.commands);
    this.command('fleetwright.dataset.create', (target) => createDataset(tools, target));
    this.command('fleetwright.dataset.rename', (target) => renameDataset(tools, target));
    this.command('fleetwright.dataset.delete', (target) => deleteDataset(tools, target));
  }
}
