import * as vscode from 'vscode';
import type { DatasetTarget } from '../../../core/model/resourceTarget';
import type { Clock } from '../../../core/ports';
import { schemes } from '../../../manifest/schemes';
import { CommandFeature } from '../../platform/commandFeature';
import { resolveTarget } from '../../platform/resolveTarget';
import type { ExportTools } from './export/exportToFolder';
import { ReadinessActions } from './readiness/readinessActions';
import { ReadinessFiles } from './readiness/readinessFiles';

// Loaded on first use of one of its commands.
const exportToFolder = () => import('./export/exportToFolder');
const datasetCommands = () => import('./commands/datasetCommands');

export interface DatasetTools extends ExportTools {
  readonly clock: Clock;
}

/** Feature for datasets, which are named collections of captured data for training and export. */
export class DatasetsFeature extends CommandFeature {
  private readonly readiness: ReadinessFiles;

  constructor(private readonly tools: DatasetTools) {
    super(tools.commands);
    this.readiness = this.register(new ReadinessFiles(tools.sessions, tools.clock));
    this.registerReadiness();
    this.command('fleetwright.dataset.create', async (target) =>
      (await datasetCommands()).createDataset(tools, target),
    );
    this.command('fleetwright.dataset.rename', async (target) =>
      (await datasetCommands()).renameDataset(tools, target),
    );
    this.command('fleetwright.dataset.delete', async (target) =>
      (await datasetCommands()).deleteDataset(tools, target),
    );
    this.command('fleetwright.dataset.export', async (target) =>
      (await exportToFolder()).exportToFolder(tools, target),
    );
  }

  private registerReadiness(): void {
    const { readiness, tools } = this;
    const { readiness: scheme } = schemes;
    this.register(
      vscode.workspace.registerFileSystemProvider(scheme, readiness, {
        isCaseSensitive: true,
        isReadonly: true,
      }),
    );
    const actions = new ReadinessActions(tools.sessions);
    this.register(vscode.languages.registerCodeLensProvider({ scheme }, actions));
    this.command('fleetwright.dataset.showReadiness', (target) => this.showReadiness(target));
    this.command('fleetwright.dataset.checkAgain', (report) =>
      readiness.checkAgain(report instanceof vscode.Uri ? report : undefined),
    );
  }

  private async showReadiness(given: DatasetTarget | undefined): Promise<void> {
    const { target } = await resolveTarget(this.tools, 'dataset', given, 'readData');
    await this.readiness.show(target);
  }
}
