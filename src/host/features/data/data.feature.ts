import * as vscode from 'vscode';
import type { BrowsableTarget } from '../../../manifest/commands';
import { webviews } from '../../../manifest/webviews';
import { displayName } from '../../../core/model/displayText';
import { targetId } from '../../../core/model/resourceTarget';
import { isDataPanelState } from '../../../shared/data/dataPanel';
import { CommandFeature } from '../../platform/commandFeature';
import { DataPanel, type DataPanelOptions, type PanelStart } from './dataPanel';
import { filterFor } from './filter/filterFor';
import { describedPanel } from './panelDescription';

/** Captured data: panels that show, tag, annotate and group it. */
export class DataFeature extends CommandFeature {
  private readonly panels = new Set<DataPanel>();

  constructor(private readonly options: DataPanelOptions) {
    super(options.commands);
    this.command('fleetwright.data.browse', (target) => this.browse(target));
    this.register(
      vscode.window.registerWebviewPanelSerializer(webviews.data.viewType, {
        deserializeWebviewPanel: (panel, state) => {
          this.restore(panel, state);
          return Promise.resolve();
        },
      }),
    );
    this.register({ dispose: () => this.panels.forEach((panel) => panel.dispose()) });
  }

  private async browse(given: BrowsableTarget | undefined): Promise<void> {
    const target = given ?? (await this.options.pickTarget('organization'));
    this.show({
      connectionId: target.connectionId,
      name: displayName({ name: target.name, id: targetId(target) }),
      filter: filterFor(target),
      tab: 'images',
    });
  }

  private show(start: PanelStart): void {
    const open = [...this.panels].find((panel) => panel.shows(start));
    if (open) {
      open.show();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      webviews.data.viewType,
      start.name,
      vscode.ViewColumn.Active,
    );
    this.fill(panel, start);
  }

  /** After a window reload VS Code hands back the panel and what its webview kept. */
  private restore(panel: vscode.WebviewPanel, state: unknown): void {
    const described = isDataPanelState(state) ? describedPanel(state.panel) : undefined;
    if (isDataPanelState(state) && described) {
      this.fill(panel, { ...described, filter: state.filter, tab: state.tab });
    } else panel.dispose();
  }

  private fill(panel: vscode.WebviewPanel, start: PanelStart): void {
    const filled = new DataPanel(panel, start, this.options);
    this.panels.add(filled);
    panel.onDidDispose(() => this.panels.delete(filled));
  }
}
