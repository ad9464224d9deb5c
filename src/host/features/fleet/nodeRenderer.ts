import * as vscode from 'vscode';
import { type ConfigState, getConfigStage } from '../../../core/model/contractExtensions';
import { displayName, toDisplayText } from '../../../core/model/displayText';
import type { Clock } from '../../../core/ports';
import type { CommandId } from '../../../manifest/commands';
import { actionLabel } from '../../platform/commands/errorPresenter';
import type { NodeRenderer } from '../../platform/nodeTreeProvider';
import { formatVisibility } from '../../platform/text/registryText';
import { inviteItem, machineGroupItem, memberItem, roleItem } from './accessTreeItems';
import { formatHint, hintCommand } from './hints';
import type { ErrorNode } from './nodes/listNodes';
import { type BranchNode, type FleetNode, isBranch } from './nodes/fleetNode';
import type { LocationSharing } from './nodes/locationNode';
import type { OrganizationNode } from './nodes/organizationNode';
import type { MachineNode, PartNode } from './nodes/machineNode';
import { formatPresence, statusIcon } from './formatPresence';
import {
  moduleModelItem,
  moduleModelsItem,
  registryFileItem,
  registryFolderItem,
  registryItemItem,
  registryVersionItem,
} from './registryTreeItems';
import { formatBytes, formatNumber } from '../../platform/text/displayText';
import type { DatasetNode } from './nodes/datasetNodes';
import { inRoleOrder } from '../../../core/model/access';
import { formatRole, rolesSummary } from '../../platform/permissions/formatRole';
import type { ApiKeyNode } from './nodes/accessNodes';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** Renders the nodes in the fleet tree. All remote text is passed through `toDisplayText`. */
export class FleetNodeRenderer implements NodeRenderer<FleetNode> {
  constructor(private readonly clock: Clock) {}

  render(node: FleetNode): vscode.TreeItem {
    const item = this.toTreeItem(node);
    item.id = node.id;
    item.contextValue = node.contextValue;
    if (isBranch(node)) item.collapsibleState = startsOpen(node) ? Expanded : Collapsed;
    return item;
  }

  async tooltip(node: FleetNode): Promise<string | undefined> {
    const { nodeTooltip } = await import('./nodeTooltip');
    return nodeTooltip(node, this.clock.now(), await namesToRead(node));
  }

  private toTreeItem(node: FleetNode): vscode.TreeItem {
    switch (node.kind) {
      case 'organization':
        return organizationItem(node);
      case 'location':
        return itemWith(displayName(node.location), 'location', formatSharing(node.sharing));
      case 'machine':
        return this.machine(node);
      case 'machineGroup':
        return machineGroupItem(node);
      case 'part':
        return this.part(node);
      case 'fragments':
        return itemWith(vscode.l10n.t('Fragments'), 'layers', '');
      case 'fragment':
        return this.fragment(node);
      case 'datasets':
        return itemWith(vscode.l10n.t('Datasets'), 'library', '');
      case 'dataset':
        return opening(
          itemWith(displayName(node.dataset), 'file-media', ''),
          node,
          'fleetwright.data.browse',
          vscode.l10n.t('Browse Data'),
        );
      case 'modules':
      case 'otherItems':
        return registryFolderItem(node);
      case 'registryItem':
        return opening(
          registryItemItem(node),
          node,
          'fleetwright.registryItem.show',
          vscode.l10n.t('Show Page'),
        );
      case 'registryVersion':
        return registryVersionItem(node, this.clock.now());
      case 'registryFile':
        return registryFileItem(node, this.clock.now());
      case 'moduleModels':
        return moduleModelsItem();
      case 'moduleModel':
        return moduleModelItem(node);
      case 'members':
        return itemWith(vscode.l10n.t('Members'), 'account', '');
      case 'member':
        return memberItem(node);
      case 'invite':
        return inviteItem(node, this.clock.now());
      case 'apiKeys':
        return itemWith(vscode.l10n.t('API Keys'), 'key', '');
      case 'apiKey':
        return apiKeyItem(node);
      case 'role':
        return roleItem(node);
      case 'hint':
        return node.canCreate
          ? commandItem(formatHint(node.hint, true), 'info', hintCommand(node.hint), node)
          : itemWith(formatHint(node.hint, false), 'info', '');
      case 'error':
        return errorItem(node);
      case 'loadMore':
        return commandItem(
          vscode.l10n.t('Load more ({0} of {1} shown)', node.shown, node.total),
          'ellipsis',
          'fleetwright.fleet.loadMore',
          node,
        );
    }
  }

  private machine(node: MachineNode): vscode.TreeItem {
    const location = node.locations?.at(-1);
    return this.machineLike(displayName(node.machine), statusIcon(node.presence.status), [
      formatPresence(node.presence, this.clock.now()),
      ...(location ? [displayName(location)] : []),
    ]);
  }

  private part(node: PartNode): vscode.TreeItem {
    const progress = formatConfigProgress(node.part.configState);
    const icon = new vscode.ThemeIcon(node.part.main ? 'circuit-board' : 'chip');
    const item = this.machineLike(displayName(node.part), icon, [
      ...(node.part.main ? [vscode.l10n.t('main')] : []),
      formatPresence(node.presence, this.clock.now()),
      ...(progress === '' ? [] : [progress]),
    ]);
    return opening(item, node, 'fleetwright.part.openConfig', vscode.l10n.t('Open Config'));
  }

  private fragment(node: Extract<FleetNode, { readonly kind: 'fragment' }>): vscode.TreeItem {
    const { visibility } = node.fragment;
    const label = displayName(node.fragment);
    const item = itemWith(label, 'json', formatVisibility(visibility));
    return opening(item, node, 'fleetwright.fragment.openConfig', vscode.l10n.t('Open Config'));
  }

  private machineLike(
    label: string,
    icon: vscode.ThemeIcon,
    facts: readonly string[],
  ): vscode.TreeItem {
    const item = new vscode.TreeItem(label, None);
    item.iconPath = icon;
    item.description = facts.join(' · ');
    item.accessibilityInformation = { label: [label, ...facts].join(', ') };
    return item;
  }
}

/** Returns true for organizations, and for a filter's matches. */
function startsOpen(node: BranchNode): boolean {
  return node.kind === 'organization' || ('startsOpen' in node && node.startsOpen);
}

/** Returns the names that a tooltip needs and that the lists don't contain. */
async function namesToRead(node: FleetNode): Promise<readonly string[]> {
  switch (node.kind) {
    case 'location':
      return node.readerNames();
    case 'apiKey':
      return apiKeyRoles(node);
    case 'dataset':
      return datasetContents(node);
    default:
      return [];
  }
}

function formatSharing(sharing: LocationSharing | undefined): string {
  if (!sharing) return '';
  if (sharing.kind !== 'own') return vscode.l10n.t('shared by {0}', displayName(sharing.owner));
  return sharing.readers === 1
    ? vscode.l10n.t('shared with 1 organization')
    : vscode.l10n.t('shared with {0} organizations', sharing.readers);
}

function itemWith(label: string, icon: string, description: string): vscode.TreeItem {
  const item = new vscode.TreeItem(label, None);
  item.iconPath = new vscode.ThemeIcon(icon);
  if (description !== '') item.description = description;
  return item;
}

function commandItem(
  label: string,
  icon: string,
  command: CommandId,
  node: FleetNode,
): vscode.TreeItem {
  const item = itemWith(label, icon, '');
  item.command = { command, title: label, arguments: [node] };
  return item;
}

/** Returns the item for an organization, which shows whether its connection is read-only. */
function organizationItem({ organization, context }: OrganizationNode): vscode.TreeItem {
  const label = displayName(organization);
  if (!context.connection.readOnly) return itemWith(label, 'organization', '');
  const readOnly = vscode.l10n.t('read-only');
  const item = itemWith(label, 'lock', readOnly);
  item.accessibilityInformation = { label: [label, readOnly].join(', ') };
  return item;
}

/** Returns the item with the command that a click runs. */
function opening(
  item: vscode.TreeItem,
  node: FleetNode,
  command: CommandId,
  title: string,
): vscode.TreeItem {
  item.command = { command, title, arguments: [node] };
  return item;
}

function errorItem(node: ErrorNode): vscode.TreeItem {
  const action = node.error.action ?? 'retry';
  // The rest of the message is the recovery action, which is already the item's description.
  const label = toDisplayText(getFirstSentence(node.error.message));
  const item = itemWith(label, 'error', '');
  item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  item.description = actionLabel(action);
  item.command = {
    command: 'fleetwright.fleet.retry' satisfies CommandId,
    title: vscode.l10n.t('Retry'),
    arguments: [node],
  };
  return item;
}

function getFirstSentence(message: string): string {
  return message.split(/[.!?](?= |$)/, 1)[0] ?? message;
}

/**
 * Formats a dataset's contents, such as `1,204 items, 96 MB`. Returns one phrase, or an empty array
 * if the contents are unknown.
 */
async function datasetContents(node: DatasetNode): Promise<readonly string[]> {
  const contents = await node.contents();
  if (!contents) return [];
  const { count, bytes } = contents;
  if (count === 0) return [vscode.l10n.t('empty')];
  return [
    count === 1
      ? vscode.l10n.t('1 item, {0}', formatBytes(bytes))
      : vscode.l10n.t('{0} items, {1}', formatNumber(count), formatBytes(bytes)),
  ];
}

// Tree items of API keys.

function apiKeyItem({ target, apiKey, isInUse }: ApiKeyNode): vscode.TreeItem {
  const label = toDisplayText(target.name);
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
  item.iconPath = new vscode.ThemeIcon('key');
  const roles = rolesSummary(apiKey.roles);
  item.description = isInUse ? `${vscode.l10n.t('in use')} · ${roles}` : roles;
  item.accessibilityInformation = { label: `${label}, ${item.description}` };
  return item;
}

/** Formats a key's roles. Reads their resources' names if necessary. */
async function apiKeyRoles(node: ApiKeyNode): Promise<readonly string[]> {
  const names = await node.resourceNames();
  return inRoleOrder(node.apiKey.roles).map((role) =>
    formatRole(role, names.get(role.resourceId) ?? role.resourceId),
  );
}

/**
 * Formats the progress of a part's config; empty if there is nothing to wait for or the service
 * doesn't report it.
 */
function formatConfigProgress(state: ConfigState | undefined): string {
  switch (state && getConfigStage(state)) {
    case 'saved':
      return vscode.l10n.t('previous config');
    case 'fetched':
      return state?.applied ? vscode.l10n.t('config fetched') : '';
    default:
      return '';
  }
}
