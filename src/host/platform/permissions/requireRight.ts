import * as vscode from 'vscode';
import { displayName, toDisplayText } from '../../../core/model/displayText';
import {
  type Granted,
  hasRight,
  isChanging,
  isReadOnly,
  type Right,
  type RightsKind,
} from '../../../core/model/permissions';
import { type ResourceTarget, targetId } from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { findMissingRole } from '../../../core/stores/findMissingRole';
import { ownersAbove } from '../../../core/stores/ownersAbove';
import { FleetError } from '../../../core/api/errors';
import type { Role } from '../../../core/model/access';
import { formatRole } from './formatRole';

/**
 * Checks, before any prompt, that the key has the required permission on a command's target.
 * @throws ReadOnlyConnectionError if the right is withheld because the connection is read-only
 * @throws PermissionDeniedError with the missing permission and the users to contact.
 */
export async function requireRight(
  stores: FleetStores,
  target: ResourceTarget,
  right: Right,
): Promise<void> {
  const missing = await findMissingRole(stores, target, right, isChanging(right));
  if (!missing) return;
  const sentences = [
    describeMissingRight(right, displayName({ name: target.name, id: targetId(target) })),
    formatRequiredRole(missing, await getRoleScopeName(stores, target)),
    formatOwnersToContact(await ownersAbove(stores, target)),
  ];
  throw new PermissionDeniedError(sentences.join(' '), target);
}

/** Returns the name of the resource to which a role on a target applies. */
export async function getRoleScopeName(
  stores: FleetStores,
  target: ResourceTarget,
): Promise<string> {
  switch (target.kind) {
    case 'part':
      return target.machineName;
    case 'fragment':
    case 'dataset':
    case 'registryItem':
      return (await stores.organizations.get(target.organizationId)).name;
    default:
      return displayName({ name: target.name, id: targetId(target) });
  }
}

/** Error for a role that the key doesn't have. The user can request an explanation. */
export class PermissionDeniedError extends FleetError {
  constructor(
    message: string,
    readonly target: ResourceTarget,
  ) {
    super('permission', message);
  }
}

/** Maximum number of email addresses to list; the rest are only counted. */
const MAX_LISTED = 3;

/** Returns the message for a missing permission on a resource. */
export function describeMissingRight(right: Right, name: string): string {
  const shown = toDisplayText(name);
  switch (right) {
    case 'administer':
      return vscode.l10n.t('Your API key doesn\'t have permission to edit "{0}".', shown);
    case 'inspect':
      return vscode.l10n.t(
        'Your API key doesn\'t have permission to view all details of "{0}".',
        shown,
      );
    case 'control':
      return vscode.l10n.t('Your API key doesn\'t have permission to control "{0}".', shown);
    case 'readLogs':
      return vscode.l10n.t(
        'Your API key doesn\'t have permission to view the logs of "{0}".',
        shown,
      );
    case 'readSecrets':
      return vscode.l10n.t(
        'Your API key doesn\'t have permission to view the secrets of "{0}".',
        shown,
      );
    case 'readData':
      return vscode.l10n.t(
        'Your API key doesn\'t have permission to view captured data in "{0}".',
        shown,
      );
    case 'writeData':
      return vscode.l10n.t(
        'Your API key doesn\'t have permission to edit captured data in "{0}".',
        shown,
      );
    case 'train':
      return vscode.l10n.t(
        'Your API key doesn\'t have permission to view or edit training jobs in "{0}".',
        shown,
      );
  }
}

/**
 * Formats the required role.
 * @param scopeName the name of the role's resource.
 */
export function formatRequiredRole(role: Role, scopeName: string): string {
  const needed = formatRole(role, scopeName);
  return role.resourceType === 'organization'
    ? vscode.l10n.t('Required role: {0}.', needed)
    : vscode.l10n.t('Required role: {0}, or the same role on a parent resource.', needed);
}

/**
 * Formats the users who can grant the role.
 * @param owners undefined if the key has no permission to read the owners.
 */
export function formatOwnersToContact(owners: readonly string[] | undefined): string {
  if (!owners || owners.length === 0) return vscode.l10n.t('Ask an owner of the organization.');
  const named = owners.slice(0, MAX_LISTED).map((address) => toDisplayText(address));
  const more = owners.length - named.length;
  const others = more > 0 ? [vscode.l10n.t('{0} more', more)] : [];
  const list = new Intl.ListFormat(vscode.env.language, { type: 'disjunction' });
  return vscode.l10n.t('Ask {0}.', list.format([...named, ...others]));
}

/** Returns the tooltip text for a resource that the key can't change; empty if it can. */
export function describeAccessLimits(kind: RightsKind, granted: Granted): string {
  if (isReadOnly(granted)) {
    return vscode.l10n.t('Read-only. To make changes, allow changes in the connection first.');
  }
  if (hasRight(kind, granted, 'administer')) return '';
  return hasRight(kind, granted, 'control')
    ? describeControlAccess(kind)
    : describeViewAccess(kind);
}

function describeControlAccess(kind: RightsKind): string {
  switch (kind) {
    case 'organization':
    case 'fragment':
    case 'dataset':
    case 'registryItem':
      return vscode.l10n.t(
        'Read-only. With this API key you can view and control machines here. To make changes, you need the Owner role on this organization.',
      );
    case 'location':
      return vscode.l10n.t(
        'Read-only. With this API key you can view and control machines here. To make changes, you need the Owner role on this location.',
      );
    case 'machine':
    case 'part':
      return vscode.l10n.t(
        'You can control this machine but not edit it. To make changes, you need the Owner role on this machine.',
      );
  }
}

function describeViewAccess(kind: RightsKind): string {
  switch (kind) {
    case 'organization':
    case 'fragment':
    case 'dataset':
    case 'registryItem':
      return vscode.l10n.t(
        'Read-only. To make changes, you need the Owner role on this organization.',
      );
    case 'location':
      return vscode.l10n.t('Read-only. To make changes, you need the Owner role on this location.');
    case 'machine':
    case 'part':
      return vscode.l10n.t('Read-only. To make changes, you need the Owner role on this machine.');
  }
}
