import * as vscode from 'vscode';
import type { DocumentAddress } from '../../../core/documents/documentAddress';
import { configAddress } from '../../../core/documents/documentResource';
import { webviews } from '../../../manifest/contributions';
import { isHistoryPanelState } from '../../../shared/history';
import { CommandFeature } from '../../platform/commands/commandRegistry';
import { parseDocumentAddress, parseRevisionAddress } from '../../platform/documents/documentUris';
import type { PickTarget } from '../../platform/prompts/targetPicker';
import { WebviewPanels } from '../../platform/webview/webviewPanels';
import type { HistoryPanelOptions } from './historyPanel';

export interface HistoryOptions extends HistoryPanelOptions {
  readonly extensionUri: vscode.Uri;
  readonly pickTarget: PickTarget;
}

const HAS_HISTORY: ReadonlySet<DocumentAddress['subject']['type']> = new Set([
  'partConfig',
  'fragmentConfig',
]);

/** Feature for the histories of part and fragment configs, with one panel for each config. */
export class HistoryFeature extends CommandFeature {
  constructor(options: HistoryOptions) {
    super(options.commands);
    const { extensionUri, sessions, pickTarget } = options;
    const panels = this.register(
      new WebviewPanels({
        type: webviews.history,
        extensionUri,
        sessions,
        parseState: (state) =>
          isHistoryPanelState(state)
            ? parseDocumentAddress(vscode.Uri.parse(state.document))
            : undefined,
        load: async () => {
          const { HistoryPanel } = await import('./historyPanel');
          return (panel, address) => new HistoryPanel(panel, address, options);
        },
      }),
    );
    this.command('fleetwright.part.showHistory', async (target) =>
      panels.show(configAddress(target ?? (await pickTarget('part')))),
    );
    this.command('fleetwright.fragment.showHistory', async (target) =>
      panels.show(configAddress(target ?? (await pickTarget('fragment')))),
    );
    this.command('fleetwright.document.showHistory', async (uri) => {
      const document = uri instanceof vscode.Uri ? uri : activeUri();
      const address =
        document && (parseDocumentAddress(document) ?? parseRevisionAddress(document)?.address);
      const hasHistory = address && HAS_HISTORY.has(address.subject.type);
      await panels.show(
        hasHistory ? address : configAddress(await pickTarget(['part', 'fragment'])),
      );
    });
  }
}

function activeUri(): vscode.Uri | undefined {
  return vscode.window.activeTextEditor?.document.uri;
}
