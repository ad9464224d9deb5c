import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { ConnectionId } from '../../../core/model/ids';
import type { ResourceKind, ResourceTarget } from '../../../core/model/resourceTarget';
import type { Commands } from '../../platform/commands/commandRegistry';
import { requireConnection, type SessionProvider } from '../../platform/sessionProvider';
import type { PickTarget, TargetOfKind } from '../../platform/prompts/targetPicker';
import type { FindPick } from './findPick';

/** Finds any resource by name or ID, whether or not it is loaded. */
export class FindFeature extends Disposable {
  constructor(
    private readonly commands: Commands,
    private readonly sessions: SessionProvider,
  ) {
    super();
    this.register(commands.register('fleetwright.resource.find', () => this.find()));
  }

  /**
   * Prompts for a resource of one of the given kinds, for commands that were called without a
   * target.
   */
  readonly pickTarget: PickTarget = async <K extends ResourceKind>(
    kind: K | readonly K[],
    connection?: ConnectionId,
  ) => {
    const kinds: readonly K[] = typeof kind === 'string' ? [kind] : kind;
    const [only, another] = kinds;
    const options = {
      title: only && !another ? kindTitle(only) : vscode.l10n.t('Select a Resource'),
      placeholder: vscode.l10n.t('Search by name, path, or ID'),
    };
    const target = await this.pick(kinds, options, connection);
    return target as TargetOfKind<K>;
  };

  private async find(): Promise<void> {
    const target = await this.pick(undefined, {
      title: vscode.l10n.t('Go to Resource'),
      placeholder: vscode.l10n.t(
        'Search by name, path, or ID for organizations, locations, machines, parts, fragments, datasets, or registry items',
      ),
      buttons: createButtons,
      onButton: (candidate) => void this.open(candidate),
    });
    await this.commands.execute('fleetwright.resource.reveal', target);
  }

  private async open(target: ResourceTarget): Promise<void> {
    if (target.kind === 'machine') {
      await this.commands.execute('fleetwright.machine.openConfig', target);
    } else if (target.kind === 'part') {
      await this.commands.execute('fleetwright.part.openConfig', target);
    } else if (target.kind === 'fragment') {
      await this.commands.execute('fleetwright.fragment.openConfig', target);
    } else if (target.kind === 'dataset') {
      await this.commands.execute('fleetwright.data.browse', target);
    } else if (target.kind === 'registryItem') {
      await this.commands.execute('fleetwright.registryItem.show', target);
    }
  }

  private async pick(
    kinds: readonly ResourceKind[] | undefined,
    options: Omit<ConstructorParameters<typeof FindPick>[2], 'kinds'>,
    id?: ConnectionId,
  ): Promise<ResourceTarget> {
    const connection = requireConnection(this.sessions, id);
    const { FindPick } = await import('./findPick');
    return new FindPick(connection, this.sessions.stores(connection.id), {
      ...options,
      kinds,
    }).run();
  }
}

/**
 * Returns buttons for resources that can be opened directly instead of only being revealed in the
 * tree.
 */
function createButtons({ kind }: ResourceTarget): readonly vscode.QuickInputButton[] {
  switch (kind) {
    case 'machine':
    case 'part':
    case 'fragment':
      return [button('go-to-file', vscode.l10n.t('Open Config'))];
    case 'dataset':
      return [button('database', vscode.l10n.t('Browse Data'))];
    case 'registryItem':
      return [button('package', vscode.l10n.t('Show Page'))];
    default:
      return [];
  }
}

function button(icon: string, tooltip: string): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}

function kindTitle(kind: ResourceKind): string {
  switch (kind) {
    case 'organization':
      return vscode.l10n.t('Select an Organization');
    case 'location':
      return vscode.l10n.t('Select a Location');
    case 'machine':
      return vscode.l10n.t('Select a Machine');
    case 'part':
      return vscode.l10n.t('Select a Part');
    case 'fragment':
      return vscode.l10n.t('Select a Fragment');
    case 'dataset':
      return vscode.l10n.t('Select a Dataset');
    case 'registryItem':
      return vscode.l10n.t('Select a Registry Item');
  }
}
