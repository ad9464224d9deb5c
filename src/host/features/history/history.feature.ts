import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { addressKey, type DocumentAddress } from '../../../core/documents/documentAddress';
import { configAddress } from '../../../core/documents/documentTargets';
import { webviews } from '../../../manifest/contributions';
import { isHistoryPanelState } from '../../../shared/history';
import {
  documentUri,
  parseDocumentAddress,
  parseRevisionAddress,
} from '../../platform/documents/documentUris';
import type { PickTarget } from '../../platform/prompts/targetPicker';
import { HistoryPanel, type HistoryPanelOptions } from './historyPanel';

export interface HistoryOptions extends HistoryPanelOptions {
  readonly pickTarget: PickTarget;
}

const HAS_HISTORY: ReadonlySet<DocumentAddress['subject']['type']> = new Set([
  'partConfig',
  'fragmentConfig',
]);

/** Feature for the histories of part and fragment configs, with one panel for each. */
export class HistoryFeature extends Disposable {
  private readonly panels = new Map<string, HistoryPanel>();

  constructor(private readonly options: HistoryOptions) {
    super();
    const { commands, pickTarget } = options;
    this.register(
      commands.register('fleetwright.part.showHistory', async (target) =>
        this.show(configAddress(target ?? (await pickTarget('part')))),
      ),
    );
    this.register(
      commands.register('fleetwright.fragment.showHistory', async (target) =>
        this.show(configAddress(target ?? (await pickTarget('fragment')))),
      ),
    );
    this.register(
      commands.register('fleetwright.document.showHistory', async (uri) => {
        const document = uri instanceof vscode.Uri ? uri : activeUri();
        const address =
          document && (parseDocumentAddress(document) ?? parseRevisionAddress(document)?.address);
        const hasHistory = address && HAS_HISTORY.has(address.subject.type);
        this.show(hasHistory ? address : configAddress(await pickTarget(['part', 'fragment'])));
      }),
    );
    this.register(
      vscode.window.registerWebviewPanelSerializer(webviews.history.viewType, {
        deserializeWebviewPanel: (panel, state) => {
          this.restore(panel, state);
          return Promise.resolve();
        },
      }),
    );
    this.register({ dispose: () => this.panels.forEach((panel) => panel.dispose()) });
  }

  private show(address: DocumentAddress): void {
    const open = this.panels.get(addressKey(address));
    if (open) {
      open.show();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      webviews.history.viewType,
      vscode.l10n.t('History'),
      vscode.ViewColumn.Active,
    );
    this.fill(panel, address);
  }

  /**
   * Restores a panel after a window reload. VS Code provides the panel and the state of its
   * webview.
   */
  private restore(panel: vscode.WebviewPanel, state: unknown): void {
    const address = isHistoryPanelState(state)
      ? parseDocumentAddress(vscode.Uri.parse(state.document))
      : undefined;
    if (address) this.fill(panel, address);
    else panel.dispose();
  }

  private fill(panel: vscode.WebviewPanel, address: DocumentAddress): void {
    const key = addressKey(address);
    const uri = documentUri(address, ['history']).toString();
    const filled = new HistoryPanel(panel, address, uri, this.options);
    this.panels.set(key, filled);
    panel.onDidDispose(() => {
      if (this.panels.get(key) === filled) this.panels.delete(key);
    });
  }
}

function activeUri(): vscode.Uri | undefined {
  return vscode.window.activeTextEditor?.document.uri;
}
