import * as vscode from 'vscode';
import type { FleetError } from '../../../core/api/errors';
import { type ConfigState, getConfigStage } from '../../../core/model/contractExtensions';
import { displayName, toDisplayText } from '../../../core/model/displayText';
import type { Presence } from '../../../core/model/presence';
import { targetId } from '../../../core/model/resourceTarget';
import { formatErrorDetails } from '../../platform/commands/errorPresenter';
import { describeAccessLimits } from '../../platform/permissions/requireRight';
import { formatRole, roleMeaning, rolesSummary } from '../../platform/permissions/formatRole';
import type { FleetNode } from './nodes/fleetNode';
import { formatOnlineStatus, statusMeaning } from './formatPresence';
import { formatBytes } from '../../platform/text/displayText';
import {
  formatPlatform,
  formatRegistryStatus,
  formatRegistryType,
  formatUsers,
  formatVisibility,
} from '../../platform/text/registryText';
import type {
  ModuleModelNode,
  RegistryFileNode,
  RegistryItemNode,
  RegistryVersionNode,
} from './nodes/registryNodes';

/**
 * Returns a node's tooltip as plain text. Remote text is never rendered as Markdown.
 * @param names organizations that a location is shared with, a key's roles, or a dataset's
 *   contents.
 */
export function nodeTooltip(
  node: FleetNode,
  now: Date,
  names: readonly string[],
): string | undefined {
  const facts = formatNodeFacts(node, now, names);
  if (facts === undefined) return facts;
  const limitation = describeLimitation(node);
  return limitation === '' ? facts : `${facts}\n\n${limitation}`;
}

function describeLimitation(node: FleetNode): string {
  if ('organizationGranted' in node) {
    return describeAccessLimits('organization', node.organizationGranted);
  }
  return 'granted' in node ? describeAccessLimits(node.kind, node.granted) : '';
}

function formatNodeFacts(node: FleetNode, now: Date, names: readonly string[]): string | undefined {
  switch (node.kind) {
    case 'organization': {
      const { organization } = node;
      return formatFacts(displayName(organization), [
        [vscode.l10n.t('Organization'), organization.id],
        [vscode.l10n.t('Namespace'), organization.publicNamespace],
        [vscode.l10n.t('Region'), organization.region],
        [vscode.l10n.t('Created'), formatFactTime(organization.createdOn)],
      ]);
    }
    case 'location': {
      const { location } = node;
      return formatFacts(displayName(location), [
        [vscode.l10n.t('Location'), location.id],
        [vscode.l10n.t('Machines'), String(location.machineCount)],
        [vscode.l10n.t('Region'), location.region],
        [vscode.l10n.t('Shared with'), names.join(', ')],
        [
          vscode.l10n.t('Shared by'),
          node.sharing?.kind === 'foreign' ? displayName(node.sharing.owner) : '',
        ],
        [vscode.l10n.t('Created'), formatFactTime(location.createdOn)],
      ]);
    }
    case 'machine':
      return formatFacts(displayName(node.machine), [
        ...presence(node.presence),
        [vscode.l10n.t('Locations'), (node.locations ?? []).map(displayName).join(' › ')],
        [vscode.l10n.t('Machine'), node.machine.id],
        [vscode.l10n.t('Created'), formatFactTime(node.machine.createdOn)],
      ]);
    case 'part':
      return formatFacts(displayName(node.part), [
        ...presence(node.presence),
        [vscode.l10n.t('Part'), node.part.id],
        [vscode.l10n.t('Address'), node.part.fqdn],
        ...configFacts(node.part.configState),
      ]);
    case 'fragment':
      return formatFacts(displayName(node.fragment), [
        [vscode.l10n.t('Fragment'), targetId(node.target)],
        [vscode.l10n.t('Used by'), partCount(node.fragment.partCount)],
        [vscode.l10n.t('Revision'), node.fragment.revision],
        [vscode.l10n.t('Created'), formatFactTime(node.fragment.createdOn)],
      ]);
    case 'datasets':
      return vscode.l10n.t('Named collections of captured data for training and export');
    case 'dataset':
      return formatFacts(displayName(node.dataset), [
        [vscode.l10n.t('Dataset'), node.dataset.id],
        ...names.map((contents): Fact => [vscode.l10n.t('Contents'), contents]),
        [vscode.l10n.t('Created'), formatFactTime(node.dataset.createdOn)],
      ]);
    case 'modules':
      return vscode.l10n.t(
        'Modules published by this organization, with their versions and builds',
      );
    case 'otherItems':
      return vscode.l10n.t('ML models, training scripts, and other packages');
    case 'registryItem':
      return registryItemTooltip(node, now);
    case 'registryVersion':
      return registryVersionTooltip(node, now);
    case 'registryFile':
      return registryFileTooltip(node, now);
    case 'moduleModel':
      return moduleModelTooltip(node);
    case 'members':
      return vscode.l10n.t('Members and pending invitations');
    case 'member':
      return formatFacts(toDisplayText(node.target.name), [
        [vscode.l10n.t('Other emails'), node.member.emails.slice(1).join(', ')],
        [vscode.l10n.t('User'), node.member.id],
        [vscode.l10n.t('Roles'), rolesSummary(node.roles)],
        [vscode.l10n.t('Member since'), formatFactTime(node.member.addedOn)],
        [
          vscode.l10n.t('Last login'),
          formatFactTime(node.member.lastLogin) || vscode.l10n.t('never'),
        ],
      ]);
    case 'invite':
      return formatFacts(toDisplayText(node.invite.email), [
        [vscode.l10n.t('Invited'), formatFactTime(node.invite.createdOn)],
        [vscode.l10n.t('Roles granted on acceptance'), rolesSummary(node.invite.roles)],
      ]);
    case 'apiKey':
      return formatFacts(toDisplayText(node.target.name), [
        [vscode.l10n.t('API key'), node.apiKey.id],
        [vscode.l10n.t('Created'), formatFactTime(node.apiKey.createdOn)],
        ...names.map((role): Fact => [vscode.l10n.t('Role'), role]),
        [vscode.l10n.t('In use'), node.isInUse ? vscode.l10n.t('by this window') : ''],
      ]);
    case 'role':
      return formatFacts(formatRole(node.role, node.target.name), [
        [vscode.l10n.t('Holder'), node.target.holder.name],
        [vscode.l10n.t('Resource'), node.role.resourceId],
        [vscode.l10n.t('Meaning'), roleMeaning(node.role.name)],
      ]);
    case 'error':
      return describeError(node.error);
    default:
      return undefined;
  }

  // Formats the number of parts. Returns an empty string for 0, because services that don't count
  // parts report 0.
  function partCount(count: number): string {
    return count > 0 ? vscode.l10n.t('{0} parts', count) : '';
  }

  function presence({ status, lastSeen }: Presence): readonly Fact[] {
    return [
      [vscode.l10n.t('Status'), `${formatOnlineStatus(status)}. ${statusMeaning(status)}`],
      [vscode.l10n.t('Last seen'), formatFactTime(lastSeen, 'medium') || vscode.l10n.t('never')],
    ];
  }

  function configFacts(state: ConfigState | undefined): readonly Fact[] {
    if (!state) return [];
    const { fetched, applied } = state;
    const reported = applied && formatFactTime(applied.at, 'medium');
    return [
      [
        vscode.l10n.t('Config fetched'),
        fetched
          ? formatRevisionTime(fetched.isCurrent, formatFactTime(fetched.at, 'medium'))
          : vscode.l10n.t('never'),
      ],
      [
        vscode.l10n.t('Config applied'),
        reported ? formatRevisionTime(getConfigStage(state) === 'applied', reported) : '',
      ],
    ];
  }

  function formatRevisionTime(isSaved: boolean, time: string): string {
    return isSaved
      ? vscode.l10n.t('saved revision, {0}', time)
      : vscode.l10n.t('previous revision, {0}', time);
  }

  function formatFactTime(time: Date | undefined, timeStyle?: 'short' | 'medium'): string {
    return formatTime(time, now, timeStyle);
  }
}

/**
 * Describes what failed and why, like an error message, including the text of the error's Details.
 */
function describeError(error: FleetError): string {
  const details = formatErrorDetails(error);
  return details === undefined ? error.message : `${error.message}\n\n${details}`;
}

// Tooltips of registry items and their contents.

function registryItemTooltip({ item }: RegistryItemNode, now: Date): string {
  const facts = formatFacts(displayName(item), [
    [vscode.l10n.t('Registry item'), item.id],
    [vscode.l10n.t('Type'), formatRegistryType(item.type)],
    [vscode.l10n.t('Visibility'), formatVisibility(item.visibility)],
    [vscode.l10n.t('Status'), item.status ? formatRegistryStatus(item.status) : ''],
    [vscode.l10n.t('Latest version'), item.versions[0]?.version ?? ''],
    [vscode.l10n.t('Used by'), formatUsers(item)],
    [vscode.l10n.t('Entrypoint'), item.entrypoint],
    [vscode.l10n.t('Website'), item.url],
    [vscode.l10n.t('Deprecated'), formatDeprecation(item.deprecated)],
    [vscode.l10n.t('Changed'), formatTime(item.updatedAt, now)],
  ]);
  return item.description === '' ? facts : `${facts}\n\n${toDisplayText(item.description)}`;
}

function registryVersionTooltip({ version }: RegistryVersionNode, now: Date): string {
  return formatFacts(toDisplayText(version.version), [
    [
      vscode.l10n.t('Platforms'),
      version.files.map(({ platform }) => formatPlatform(platform)).join(', '),
    ],
    [vscode.l10n.t('Uploaded'), formatTime(version.createdAt, now)],
    [vscode.l10n.t('Deprecated'), formatDeprecation(version.deprecated)],
  ]);
}

function registryFileTooltip({ file }: RegistryFileNode, now: Date): string {
  return formatFacts(toDisplayText(formatPlatform(file.platform)), [
    [vscode.l10n.t('Size'), file.sizeBytes === undefined ? '' : formatBytes(file.sizeBytes)],
    [vscode.l10n.t('Uploaded'), formatTime(file.createdOn, now)],
    ['SHA-256', file.checksum],
  ]);
}

function moduleModelTooltip({ model }: ModuleModelNode): string {
  const facts = formatFacts(toDisplayText(model.model), [
    [vscode.l10n.t('API'), model.api],
    [vscode.l10n.t('Hardware'), (model.supportedHardware ?? []).join(', ')],
  ]);
  const { description = '' } = model;
  return description === '' ? facts : `${facts}\n\n${toDisplayText(description)}`;
}

/** Formats a deprecation. The owner's message is optional. */
function formatDeprecation(message: string | undefined): string {
  if (message === undefined) return '';
  return message === '' ? vscode.l10n.t('deprecated by its owner') : message;
}

type Fact = readonly [name: string, value: string];

/**
 * Formats a title with facts below it, one per line. Omits empty facts, whose values are unknown.
 */
function formatFacts(title: string, facts: readonly Fact[]): string {
  const known = facts.filter(([, value]) => value !== '');
  return [title, ...known.map(([name, value]) => `${name}: ${toDisplayText(value)}`)].join('\n');
}

/** Formats a timestamp in VS Code's locale; empty if the timestamp is unknown. */
function formatTime(
  time: Date | undefined,
  now: Date,
  timeStyle: 'short' | 'medium' = 'short',
): string {
  if (!time) return '';
  const format = new Intl.DateTimeFormat(vscode.env.language, {
    dateStyle: time.getFullYear() === now.getFullYear() ? 'medium' : 'long',
    timeStyle,
  });
  return format.format(time);
}
