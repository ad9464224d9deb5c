import type * as vscode from 'vscode';
import { registryItemTarget } from '../../../core/model/resourceTarget';
import type { Sleep } from '../../../core/ports';
import { webviews } from '../../../manifest/contributions';
import { isRegistryItemPageState } from '../../../shared/registryItem';
import { CommandFeature } from '../../platform/commands/commandRegistry';
import type { FleetTools } from '../../platform/fleetTools';
import { requireConnection } from '../../platform/sessionProvider';
import { WebviewPanels } from '../../platform/webview/webviewPanels';
import type { RegistryTools } from './downloadVersion';
import type { ItemPanelOptions, ItemPanelStart } from './itemPage/itemPanel';
import { describedPanel } from './itemPage/panelDescription';

/** Actions on registry items and their versions, other than uploading them. */
export class RegistryFeature extends CommandFeature {
  constructor(tools: RegistryTools) {
    super(tools.commands);
    this.command('fleetwright.registryItem.changeVisibility', async (target) => {
      const { changeVisibility } = await import('./itemCommands');
      await changeVisibility(tools, target);
    });
    this.command('fleetwright.registryItem.changeDescription', async (target) => {
      const { changeDescription } = await import('./itemCommands');
      await changeDescription(tools, target);
    });
    this.command('fleetwright.registryItem.changeUrl', async (target) => {
      const { changeUrl } = await import('./itemCommands');
      await changeUrl(tools, target);
    });
    this.command('fleetwright.registryItem.create', async (target) => {
      const { createItem } = await import('./itemCommands');
      await createItem(tools, target);
    });
    this.command('fleetwright.registryItem.delete', async (target) => {
      const { deleteItem } = await import('./deleteItem');
      await deleteItem(tools, target);
    });
    this.command('fleetwright.registryVersion.delete', async (target, version) => {
      const { deleteVersion } = await import('./deleteVersion');
      await deleteVersion(tools, target, version);
    });
    this.command('fleetwright.registryVersion.download', async (target, version) => {
      const { downloadVersion } = await import('./downloadVersion');
      await downloadVersion(tools, target, version);
    });
  }
}

interface RegistrySearchOptions extends Pick<FleetTools, 'commands' | 'sessions'> {
  readonly sleep: Sleep;
}

/** Search for registry items from all organizations. */
export class RegistrySearchFeature extends CommandFeature {
  constructor(private readonly options: RegistrySearchOptions) {
    super(options.commands);
    this.command('fleetwright.registry.search', () => this.search());
  }

  private async search(): Promise<void> {
    const { commands, sessions, sleep } = this.options;
    const { id } = requireConnection(sessions);
    const { registry } = sessions.stores(id);
    const { RegistryPick } = await import('./registryPick');
    const item = await new RegistryPick({ store: registry, sleep }).run();
    await commands.execute('fleetwright.registryItem.show', registryItemTarget(id, item));
  }
}

/** Pages of registry items, one page per item. */
export class ItemPageFeature extends CommandFeature {
  constructor(options: ItemPanelOptions & Pick<vscode.ExtensionContext, 'extensionUri'>) {
    super(options.commands);
    const panels = this.register(
      new WebviewPanels({
        type: webviews.registryItem,
        extensionUri: options.extensionUri,
        sessions: options.sessions,
        parseState: parseItemPageState,
        load: async () => {
          const { ItemPanel } = await import('./itemPage/itemPanel');
          return (panel, start) => new ItemPanel(panel, start, options);
        },
      }),
    );
    this.command('fleetwright.registryItem.show', async (argument) => {
      const target = argument ?? (await options.pickTarget('registryItem'));
      await panels.show({ target, version: 'version' in target ? target.version : undefined });
    });
  }
}

function parseItemPageState(state: unknown): ItemPanelStart | undefined {
  const target = isRegistryItemPageState(state) ? describedPanel(state.panel) : undefined;
  return target && { target };
}
