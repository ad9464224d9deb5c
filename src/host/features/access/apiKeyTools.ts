import * as vscode from 'vscode';
import { requireWritable } from '../../../core/api/readOnly';
import type { ApiKeyTarget } from '../../../core/model/resourceTarget';
import type { ApiKeySummary } from '../../../core/model/access';
import { toDisplayText } from '../../../core/model/displayText';
import type { ConnectionId } from '../../../core/model/ids';
import { hasRight } from '../../../core/model/permissions';
import type { ConnectionStore } from '../../../core/sessions/connectionStore';
import type { FleetTools } from '../../platform/fleetTools';
import { pickOne } from '../../platform/prompts/prompts';
import { iconLabel } from '../../platform/text/displayText';
import { rolesSummary } from '../../platform/permissions/formatRole';
import { type AccessContext, requireOwnership, resolveAccessContext } from './resolveAccess';

/** Dependencies of commands for API keys. */
export interface ApiKeyTools extends FleetTools {
  /** Connections, which must be notified if the API key that they use changes. */
  readonly connections: Pick<
    ConnectionStore,
    'connectionWithKey' | 'rotateKey' | 'deleteKey' | 'signIn'
  >;
}

/** API key that a command uses, with the organization that lists the key. */
export interface ResolvedApiKey extends AccessContext {
  readonly target: ApiKeyTarget;
}

/**
 * Returns the key that a command changes: its target, or the one that the user selects.
 * @throws ReadOnlyConnectionError before any prompt
 */
export async function resolveApiKey(
  tools: ApiKeyTools,
  requestedTarget: ApiKeyTarget | undefined,
  title: string,
): Promise<ResolvedApiKey> {
  const context = await resolveAccessContext(tools, requestedTarget);
  requireWritable(context.stores.access.readOnlyConnection, vscode.l10n);
  if (requestedTarget) return { ...context, target: requestedTarget };
  await requireOwnership(context);
  const { organization, stores } = context;
  const { connectionId, organizationId } = organization;
  const keyId = tools.sessions.connection(connectionId)?.keyId;
  const items = stores.apiKeys
    .list(organizationId, { fresh: true })
    .then((keys) => keys.map((apiKey) => ({ ...apiKeyItem(apiKey, apiKey.id === keyId), apiKey })));
  const { apiKey } = await pickOne(items, {
    title,
    placeholder: vscode.l10n.t('Select an API key of "{0}"', toDisplayText(organization.name)),
  });
  return { ...context, target: apiKeyTarget(connectionId, apiKey) };
}

/** Reveals an API key in the tree, unless the signed-in key can't list it. */
export async function revealApiKey(tools: ApiKeyTools, target: ApiKeyTarget): Promise<void> {
  const { connectionId } = target;
  if (tools.sessions.active?.id !== connectionId) return;
  const { organization, stores } = await resolveAccessContext(tools, target);
  const granted = await stores.access.getPermissionsFor(organization);
  if (hasRight('organization', granted, 'inspect')) await tools.reveal(target);
}

/** Returns a quick pick item for an API key. The user can also find it by its ID. */
export function apiKeyItem(apiKey: ApiKeySummary, isInUse: boolean): vscode.QuickPickItem {
  const roles = rolesSummary(apiKey.roles);
  return {
    label: iconLabel('key', toDisplayText(apiKey.name || apiKey.id)),
    description: isInUse ? `${vscode.l10n.t('in use')} · ${roles}` : roles,
    detail: apiKey.id,
  };
}

export function apiKeyTarget(connectionId: ConnectionId, apiKey: ApiKeySummary): ApiKeyTarget {
  return {
    kind: 'apiKey',
    connectionId,
    organizationId: apiKey.organizationId,
    keyId: apiKey.id,
    name: apiKey.name || apiKey.id,
  };
}
