import * as vscode from 'vscode';
import { requireWritable } from '../../../core/api/readOnly';
import type { Connection } from '../../../core/model/connection';
import { displayName } from '../../../core/model/displayText';
import {
  type Granted,
  hasRight,
  type RightsKind,
  roleNeededFor,
} from '../../../core/model/permissions';
import {
  type FleetTarget,
  type ResourceTarget,
  targetId,
} from '../../../core/model/resourceTarget';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { ownersAbove } from '../../../core/stores/ownersAbove';
import {
  describeMissingRight,
  formatOwnersToContact,
  formatRequiredRole,
  getRoleScopeName,
} from '../../platform/permissions/requireRight';
import { formatRole } from '../../platform/permissions/formatRole';
import { requireConnection, type SessionProvider } from '../../platform/sessionProvider';
import { showStatusMessage } from '../../platform/commands/statusMessage';

/**
 * Shows the key's permissions on a resource, the role required for changes, and the users who can
 * grant that role. Includes a request that can be sent to these users.
 * @throws ReadOnlyConnectionError if the connection is read-only, regardless of the permissions
 */
export async function explainPermissions(
  sessions: SessionProvider,
  about: FleetTarget,
): Promise<void> {
  const connection = requireConnection(sessions, about.connectionId);
  const stores = sessions.stores(connection.id);
  // The reason isn't the key.
  requireWritable(connection, vscode.l10n);
  const target = await changedWith(stores, about);
  const granted = await stores.access.getPermissionsFor(target);
  const name = displayName({ name: target.name, id: targetId(target) });
  if (hasRight(target.kind, granted, 'administer')) {
    await vscode.window.showInformationMessage(vscode.l10n.t('You can edit "{0}".', name));
    return;
  }
  const role = roleNeededFor(target, 'administer');
  const scopeName = await getRoleScopeName(stores, target);
  const detail = [
    formatAllowed(target.kind, granted),
    formatRequiredRole(role, scopeName),
    formatOwnersToContact(await ownersAbove(stores, target)),
  ].join('\n\n');
  const copy = vscode.l10n.t('Copy Request');
  const options = { modal: true, detail };
  const question = describeMissingRight('administer', name);
  if ((await vscode.window.showInformationMessage(question, options, copy)) !== copy) return;
  const needed =
    role.resourceType === 'organization'
      ? vscode.l10n.t('Owner of the organization "{0}"', scopeName)
      : formatRole(role, scopeName);
  await vscode.env.clipboard.writeText(formatRequest(connection, `${needed} (${role.resourceId})`));
  showStatusMessage(vscode.l10n.t('Copied the request'));
}

/**
 * Returns the resource whose permissions are required to change the target. Changing members and
 * roles requires permission to change the organization.
 */
async function changedWith(stores: FleetStores, target: FleetTarget): Promise<ResourceTarget> {
  switch (target.kind) {
    case 'member':
    case 'invite':
    case 'apiKey':
    case 'role': {
      const { connectionId, organizationId } = target;
      const { name } = await stores.organizations.get(organizationId);
      return { kind: 'organization', connectionId, organizationId, name };
    }
    default:
      return target;
  }
}

function formatAllowed(kind: RightsKind, granted: Granted): string {
  if (!hasRight(kind, granted, 'control')) return vscode.l10n.t('The key can view the resource.');
  return vscode.l10n.t('The key can view the resource, control its machines, and restart them.');
}

/**
 * Formats a request for a role. The request contains the ID of the key, which isn't secret and
 * helps owners find the key.
 */
function formatRequest({ keyId, baseUrl }: Connection, needed: string): string {
  return vscode.l10n.t(
    'Please assign this role to the API key {0} at {1}: {2}.',
    keyId,
    baseUrl,
    needed,
  );
}
