import * as vscode from 'vscode';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import type { RegistryItemTarget } from '../../../../core/model/resourceTarget';
import type { ShowableRegistryItem } from '../../../../manifest/commands';
import { webviews } from '../../../../manifest/webviews';
import { isRegistryItemPageState } from '../../../../shared/registryItem';
import { CommandFeature } from '../../../platform/commandFeature';
import type { ItemPanel, ItemPanelOptions } from './itemPanel';
import { describedPanel } from './panelDescription';

/** Pages of registry items, one page per item. */
export class ItemPageFeature extends CommandFeature {
  private readonly panels = new Set<ItemPanel>();

  constructor(private readonly options: ItemPanelOptions) {
    super(options.commands);
    this.command('fleetwright.registryItem.show', (target) => this.show(target));
    this.register(
      vscode.window.registerWebviewPanelSerializer(webviews.registryItem.viewType, {
        deserializeWebviewPanel: (panel, state) => this.restore(panel, state),
      }),
    );
    this.register({ dispose: () => this.panels.forEach((panel) => panel.dispose()) });
  }

  private async show(given: ShowableRegistryItem | undefined): Promise<void> {
    const target = given ?? (await this.options.pickTarget('registryItem'));
    const version = 'version' in target ? target.version : undefined;
    // Loaded before the panel lookup, so that two concurrent requests get the same panel.
    const { ItemPanel } = await import('./itemPanel');
    const open = [...this.panels].find((panel) => isSameItem(panel.target, target));
    if (open) {
      open.show(version);
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      webviews.registryItem.viewType,
      toDisplayText(target.name),
      vscode.ViewColumn.Active,
    );
    this.fill(ItemPanel, panel, target, version);
  }

  /** After a window reload, VS Code provides the panel and the state of its webview. */
  private async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const target = isRegistryItemPageState(state) ? describedPanel(state.panel) : undefined;
    if (!target) {
      panel.dispose();
      return;
    }
    const { ItemPanel } = await import('./itemPanel');
    this.fill(ItemPanel, panel, target);
  }

  private fill(
    Panel: typeof ItemPanel,
    panel: vscode.WebviewPanel,
    target: RegistryItemTarget,
    version?: string,
  ): void {
    const filled = new Panel(panel, target, this.options, version);
    this.panels.add(filled);
    panel.onDidDispose(() => this.panels.delete(filled));
  }
}

function isSameItem(one: RegistryItemTarget, other: RegistryItemTarget): boolean {
  return one.connectionId === other.connectionId && one.itemId === other.itemId;
}
