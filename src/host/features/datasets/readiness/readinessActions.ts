import * as vscode from 'vscode';
import type { DatasetTarget } from '../../../../core/model/resourceTarget';
import type { CommandArguments, CommandId } from '../../../../manifest/commands';
import type { SessionProvider } from '../../../platform/sessionProvider';
import { parseReadinessUri } from './readinessUri';

/** Code lenses above a dataset's readiness report, with the next steps. */
export class ReadinessActions implements vscode.CodeLensProvider {
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
