import * as vscode from 'vscode';
import type { DatasetTarget } from '../../../core/model/resourceTarget';
import type { Clock } from '../../../core/ports';
import { schemes } from '../../../manifest/contributions';
import { CommandFeature } from '../../platform/commands/commandRegistry';
import { resolveTarget } from '../../platform/prompts/resolveTarget';
import type { ExportTools } from './exportToFolder';
import { parseReadinessUri, ReadinessFiles } from './readinessFiles';
import type { CommandArguments, CommandId } from '../../../manifest/commands';
import type { SessionProvider } from '../../platform/sessionProvider';

// Loaded on first use of one of its commands.
const exportToFolder = () => import('./exportToFolder');
const datasetCommands = () => import('./datasetCommands');

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

  private async showReadiness(requestedTarget: DatasetTarget | undefined): Promise<void> {
    const { target } = await resolveTarget(this.tools, 'dataset', requestedTarget, 'readData');
    await this.readiness.show(target);
  }
}

/** Code lenses above a dataset's readiness report, with the next steps. */
class ReadinessActions implements vscode.CodeLensProvider {
  constructor(private readonly sessions: SessionProvider) {}

  async provideCodeLenses({ uri }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const found = parseReadinessUri(uri);
    if (!found) return [];
    const target = await this.named(found);
    return [
      lens(vscode.l10n.t('Browse Data'), 'fleetwright.data.browse', target),
      lens(vscode.l10n.t('Train Model…'), 'fleetwright.training.submit', target),
      lens(vscode.l10n.t('Export…'), 'fleetwright.dataset.export', target),
      lens(vscode.l10n.t('Check Again'), 'fleetwright.dataset.checkAgain', uri),
    ];
  }

  /** Returns the target with its current name, or its ID if the name can't be read. */
  private async named(target: Omit<DatasetTarget, 'name'>): Promise<DatasetTarget> {
    const { connectionId, organizationId, datasetId } = target;
    try {
      const datasets = await this.sessions.stores(connectionId).datasets.list(organizationId);
      return { ...target, name: datasets.find(({ id }) => id === datasetId)?.name ?? '' };
    } catch {
      return { ...target, name: '' };
    }
  }
}

function lens<K extends CommandId>(
  title: string,
  command: K,
  ...args: CommandArguments<K>
): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
    title,
    command,
    arguments: [...args],
  });
}
