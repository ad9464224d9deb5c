import type * as vscode from 'vscode';
import { webviews } from '../../../manifest/contributions';
import type { Selection } from '../../../manifest/commandArguments';
import { isLogPanelState } from '../../../shared/logs';
import { CommandFeature, type Commands } from '../../platform/commands/commandRegistry';
import { WebviewPanels } from '../../platform/webview/webviewPanels';
import { chosenParts } from './panelParts';
import type { LogPanelOptions } from './logPanel';
import { describedPanel } from './panelDescription';

export interface LogsOptions extends LogPanelOptions {
  readonly commands: Commands;
  readonly extensionUri: vscode.Uri;
}

/** Live logs of parts, one panel for each set of parts. */
export class LogsFeature extends CommandFeature {
  constructor(options: LogsOptions) {
    super(options.commands);
    const panels = this.register(
      new WebviewPanels({
        type: webviews.logs,
        extensionUri: options.extensionUri,
        sessions: options.sessions,
        parseState: (state) => (isLogPanelState(state) ? describedPanel(state.panel) : undefined),
        load: async () => {
          const { LogPanel } = await import('./logPanel');
          return (panel, described) => new LogPanel(panel, described, options);
        },
      }),
    );
    const show = async (kind: 'machine' | 'part', chosen: Selection): Promise<void> => {
      const parts = await chosenParts(options, kind, chosen);
      const [first] = parts;
      if (first) await panels.show({ connectionId: first.connectionId, parts });
    };
    this.command('fleetwright.machine.showLogs', (...chosen) => show('machine', chosen));
    this.command('fleetwright.part.showLogs', (...chosen) => show('part', chosen));
  }
}
