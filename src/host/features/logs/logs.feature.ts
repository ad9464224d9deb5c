import * as vscode from 'vscode';
import { webviews } from '../../../manifest/contributions';
import type { Selection } from '../../../manifest/commandArguments';
import { isLogPanelState } from '../../../shared/logs';
import { CommandFeature, type Commands } from '../../platform/commands/commandRegistry';
import { chosenParts, panelTitle } from './panelParts';
import type { LogPanel, LogPanelOptions } from './logPanel';
import { type DescribedPanel, describedPanel } from './panelDescription';

export interface LogsOptions extends LogPanelOptions {
  readonly commands: Commands;
}

/** Live logs of parts, one panel for each set of parts. */
export class LogsFeature extends CommandFeature {
  private readonly panels = new Set<LogPanel>();

  constructor(private readonly options: LogsOptions) {
    super(options.commands);
    this.command('fleetwright.machine.showLogs', (...chosen) => this.choose('machine', chosen));
    this.command('fleetwright.part.showLogs', (...chosen) => this.choose('part', chosen));
    this.register(
      vscode.window.registerWebviewPanelSerializer(webviews.logs.viewType, {
        deserializeWebviewPanel: (panel, state) => this.restore(panel, state),
      }),
    );
    this.register({ dispose: () => this.panels.forEach((panel) => panel.dispose()) });
  }

  private async choose(kind: 'machine' | 'part', chosen: Selection): Promise<void> {
    const parts = await chosenParts(this.options, kind, chosen);
    const [first] = parts;
    if (first) await this.show({ connectionId: first.connectionId, parts });
  }

  private async show(described: DescribedPanel): Promise<void> {
    const open = [...this.panels].find((panel) => panel.shows(described));
    if (open) {
      open.show();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      webviews.logs.viewType,
      panelTitle([]),
      vscode.ViewColumn.Active,
    );
    await this.fill(panel, described);
  }

  /** After a window reload, VS Code provides the panel and the state of its webview. */
  private async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const described = isLogPanelState(state) ? describedPanel(state.panel) : undefined;
    if (described) await this.fill(panel, described);
    else panel.dispose();
  }

  private async fill(panel: vscode.WebviewPanel, described: DescribedPanel): Promise<void> {
    // This module contains most of the feature, so it is loaded only when a panel opens.
    const { LogPanel } = await import('./logPanel');
    const filled = new LogPanel(panel, described, this.options);
    this.panels.add(filled);
    panel.onDidDispose(() => this.panels.delete(filled));
  }
}
