import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { CommandId } from '../../../manifest/commands';
import type { FileSettings } from './fileSettings';
import { toRange } from './queryAssistant';
import { isCell, getQueryLanguage } from './queryDocument';

/**
 * Code lenses for the queries of a file, which run a query, select the organization, or set
 * options.
 */
export class QueryLenses extends Disposable implements vscode.CodeLensProvider {
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(private readonly settings: FileSettings) {
    super();
    this.register(settings.onDidChange(() => this.changed.fire()));
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const language = getQueryLanguage(document);
    if (!language || isCell(document)) return [];
    const { statementsIn } = await import('../../../core/query/language/statements');
    const { uri } = document;
    const top = new vscode.Range(0, 0, 0, 0);
    return [
      ...statementsIn(language, document.getText()).map((span, index) =>
        lens(toRange(document, span), {
          title: `$(play) ${vscode.l10n.t('Run')}`,
          tooltip: vscode.l10n.t('Show the rows in a panel beside the file'),
          // Passes the index rather than the position, because the position can change before the
          // lenses are updated.
          ...{ command: 'fleetwright.queryFile.run', arguments: [uri, index] },
        }),
      ),
      lens(top, {
        title: `$(organization) ${this.formatOrganization(uri)}`,
        tooltip: vscode.l10n.t('Select the organization this file queries'),
        ...{ command: 'fleetwright.queryFile.chooseOrganization', arguments: [uri] },
      }),
      ...(language === 'mql' ? [this.recentLens(uri, top)] : []),
    ];
  }

  private formatOrganization(uri: vscode.Uri): string {
    const name = this.settings.findOrganization(uri)?.name;
    return name ?? vscode.l10n.t('Select an Organization');
  }

  private recentLens(uri: vscode.Uri, range: vscode.Range): vscode.CodeLens {
    const isRecent = this.settings.isRecent(uri);
    return lens(range, {
      title: `$(history) ${isRecent ? vscode.l10n.t('Recent Data Only') : vscode.l10n.t('All Data')}`,
      tooltip: vscode.l10n.t('Switch between recent data and all data'),
      ...{ command: 'fleetwright.queryFile.toggleRecent', arguments: [uri] },
    });
  }
}

function lens(
  range: vscode.Range,
  command: vscode.Command & { readonly command: CommandId },
): vscode.CodeLens {
  return new vscode.CodeLens(range, command);
}
