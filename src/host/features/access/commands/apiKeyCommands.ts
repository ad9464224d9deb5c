import * as vscode from 'vscode';
import { formatOwner } from '../../../../core/confirmations/confirmation';
import { FleetError } from '../../../../core/api/errors';
import type { Role } from '../../../../core/model/access';
import type { ApiKeyTarget, MachineTarget } from '../../../../core/model/resourceTarget';
import { displayName, toDisplayText } from '../../../../core/model/displayText';
import { apiKeyId, type ConnectionId } from '../../../../core/model/ids';
import { confirm, promptForName } from '../../../platform/prompts/prompts';
import { confirmDeletion } from '../../../platform/prompts/confirmDeletion';
import { requireRight } from '../../../platform/permissions/requireRight';
import {
  apiKeyItem,
  apiKeyTarget,
  type ApiKeyTools,
  resolveApiKey,
  type ResolvedApiKey,
  revealApiKey,
} from '../apiKeyTools';
import { type RoleableTarget, toNamedScope } from '../roleScopes';
import { pickRoles } from '../pickRole';
import { showKeyOnce } from '../showKeyOnce';
import type { ApiKey } from '../../../../core/model/connection';
import { pickStep } from '../../../platform/prompts/promptSteps';
import { resolveTarget } from '../../../platform/prompts/resolveTarget';
import { copyText } from '../../../platform/commands/statusMessage';

/**
 * Creates an API key: prompts for its roles and name, and then shows the key once. If a role is
 * given, starts with that role.
 */
export async function createApiKey(
  tools: ApiKeyTools,
  requestedTarget: RoleableTarget | undefined,
): Promise<void> {
  const target = requestedTarget ?? (await tools.pickTarget('organization'));
  const { connectionId, organizationId } = target;
  const stores = tools.sessions.stores(connectionId);
  await requireRight(stores, target, 'administer');
  const title = vscode.l10n.t('Create API Key');
  const { resourceType, resourceId } = toNamedScope(target);
  const preset: Role = { name: 'operator', resourceType, resourceId };
  const organization = await stores.organizations.get(organizationId);
  const roles = await pickRoles({ stores, organization, title, preset });
  const { key, name } = await promptForName({
    title,
    prompt: vscode.l10n.t(
      'Name of the key. If you leave it empty, the key is named after the current time.',
    ),
    allowsEmpty: true,
    siblings: [],
    leadsToBox: true,
    submit: async (enteredName) => ({
      key: await stores.apiKeys.create(organizationId, { name: enteredName, roles }),
      name: enteredName,
    }),
  });
  await presentKey(tools, connectionId, {
    title: vscode.l10n.t('New API Key "{0}"', toDisplayText(name || key.id)),
    name: name || key.id,
    key,
  });
  const keyId = apiKeyId(key.id);
  const made = {
    kind: 'apiKey',
    connectionId,
    organizationId,
    keyId,
    name: name || keyId,
  } as const;
  await revealApiKey(tools, made);
}

/** Creates another API key with the same roles and shows the new key once. */
export async function duplicateApiKey(
  tools: ApiKeyTools,
  requestedTarget: ApiKeyTarget | undefined,
): Promise<void> {
  const title = vscode.l10n.t('Duplicate API Key');
  const { target, stores } = await resolveApiKey(tools, requestedTarget, title);
  const { connectionId, organizationId, keyId } = target;
  const key = await stores.apiKeys.duplicate(organizationId, keyId);
  await presentKey(tools, connectionId, {
    title: vscode.l10n.t('New API Key with the Roles of "{0}"', toDisplayText(target.name)),
    name: key.id,
    key,
  });
  await revealApiKey(tools, { ...target, keyId: apiKeyId(key.id), name: key.id });
}

/**
 * Rotates an API key and shows the new key once. Windows that use the old key switch to the new
 * key.
 */
export async function rotateApiKey(
  tools: ApiKeyTools,
  requestedTarget: ApiKeyTarget | undefined,
): Promise<void> {
  const resolved = await resolveApiKey(tools, requestedTarget, vscode.l10n.t('Rotate API Key'));
  const { connectionId, organizationId, keyId } = resolved.target;
  const name = toDisplayText(resolved.target.name);
  const user = tools.connections.connectionWithKey(connectionId, keyId);
  await confirm(
    vscode.l10n.t('Rotate the API key "{0}"?', name),
    [
      formatOwner(toNamedOrganization(resolved), vscode.l10n),
      vscode.l10n.t('Anything still using the old key loses access immediately.'),
      ...(user
        ? [vscode.l10n.t('Windows that are signed in with the old key switch to the new key.')]
        : []),
    ].join(' '),
    vscode.l10n.t('Rotate'),
  );
  const rotated = await tools.connections.rotateKey(connectionId, organizationId, keyId);
  const { key, notStored } = rotated;
  if (user === undefined) {
    const title = vscode.l10n.t('New Key for "{0}"', name);
    await presentKey(tools, connectionId, { title, name: resolved.target.name, key });
    return;
  }
  if (notStored === undefined) {
    const title = vscode.l10n.t('New Key for "{0}" (Now in Use)', name);
    await showKeyOnce({ title, key });
    return;
  }
  const { label, baseUrl, kind } = user;
  const request = { label, baseUrl, keyId: key.id, key: key.secret, kind };
  await showKeyOnce({
    title: vscode.l10n.t('New Key for "{0}" (Not Stored)', name),
    key,
    use: {
      detail: vscode.l10n.t('Stores the key and continues to use it'),
      run: () => tools.connections.signIn(request),
    },
  });
}

/**
 * Deletes an API key after the user types its name. If the key is in use, its users are signed out.
 */
export async function deleteApiKey(
  tools: ApiKeyTools,
  requestedTarget: ApiKeyTarget | undefined,
): Promise<void> {
  const title = vscode.l10n.t('Delete API Key');
  const resolved = await resolveApiKey(tools, requestedTarget, title);
  const { connectionId, organizationId, keyId, name } = resolved.target;
  const shown = displayName({ name, id: keyId });
  const user = tools.connections.connectionWithKey(connectionId, keyId);
  await confirmDeletion({
    title,
    name,
    id: keyId,
    organization: toNamedOrganization(resolved),
    consequences: [
      ...(user?.id === connectionId
        ? [
            vscode.l10n.t(
              'This window uses this key and will be signed out. You need another key to sign in again.',
            ),
          ]
        : []),
      vscode.l10n.t('All programs that use the key lose access immediately.'),
      ...(user && user.id !== connectionId
        ? [vscode.l10n.t('The connection "{0}" uses this key and will be signed out.', user.label)]
        : []),
    ],
  });
  try {
    await tools.connections.deleteKey(connectionId, organizationId, keyId);
  } catch (error) {
    throw toDeletionError(error, shown);
  }
  if (user === undefined) return;
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Deleted the API key "{0}" and signed out of "{1}".',
      shown,
      toDisplayText(user.label),
    ),
  );
}

function toNamedOrganization({ organization }: ResolvedApiKey): {
  readonly name: string;
  readonly id: string;
} {
  return { name: organization.name, id: organization.organizationId };
}

/**
 * Converts the error from a rejected deletion. The service doesn't allow deleting the last owner of
 * an organization.
 */
function toDeletionError(cause: unknown, name: string): unknown {
  if (!(cause instanceof FleetError) || cause.kind !== 'conflict') return cause;
  const message = vscode.l10n.t(
    'The API key "{0}" is the last owner of its organization. Make another key or member an owner first.',
    name,
  );
  return new FleetError('conflict', message, { cause });
}

/**
 * Shows a new API key once. Offers to sign in to this window with the key, unless a connection
 * already uses it.
 * @param name name of the key, or its ID if the service generated the name.
 */
async function presentKey(
  { sessions, connections }: ApiKeyTools,
  by: ConnectionId,
  { title, name, key }: { readonly title: string; readonly name: string; readonly key: ApiKey },
): Promise<void> {
  const connection = sessions.connection(by);
  if (!connection || connections.connectionWithKey(by, apiKeyId(key.id))) {
    await showKeyOnce({ title, key });
    return;
  }
  const { baseUrl, kind } = connection;
  const detail =
    kind === 'local'
      ? vscode.l10n.t('Signs in with this key instead, until the local fleet is restarted')
      : vscode.l10n.t('Signs in with this key instead');
  const label = `${toDisplayText(name)} · ${new URL(baseUrl).host}`;
  const request = { label, baseUrl, keyId: key.id, key: key.secret, kind: 'cloud' } as const;
  const use = { detail, run: () => connections.signIn(request) };
  await showKeyOnce({ title, key, use });
}

interface ActionItem extends vscode.QuickPickItem {
  readonly run: (target: ApiKeyTarget) => Thenable<void>;
}

/**
 * Shows the API keys that have a role on a machine itself, with the available actions for each key.
 */
export async function showMachineApiKeys(
  tools: ApiKeyTools,
  requestedTarget: MachineTarget | undefined,
): Promise<void> {
  const { target: machine, stores } = await resolveTarget(
    tools,
    'machine',
    requestedTarget,
    'inspect',
  );
  const { connectionId, organizationId, machineId } = machine;
  const name = toDisplayText(machine.name);
  const keyId = tools.sessions.connection(connectionId)?.keyId;
  for (;;) {
    const create = { label: vscode.l10n.t('$(add) Create API Key for This Machine…') };
    const items = stores.apiKeys.listForMachine(organizationId, machineId).then((keys) => [
      ...keys.map((apiKey) => ({
        ...apiKeyItem(apiKey, apiKey.id === keyId),
        target: apiKeyTarget(connectionId, apiKey),
      })),
      { ...create, alwaysShow: true, target: undefined },
    ]);
    const answer = await pickStep(items, {
      title: vscode.l10n.t('API Keys of Machine "{0}"', name),
      placeholder: vscode.l10n.t('Keys with a role on the machine itself'),
    });
    if (answer.back) return;
    const { target } = answer.item;
    if (!target) return createApiKey(tools, machine);
    const action = await pickStep(actions(tools), {
      title: toDisplayText(target.name),
      placeholder: vscode.l10n.t('What do you want to do with this key?'),
      back: true,
    });
    if (!action.back) return action.item.run(target);
  }
}

function actions(tools: ApiKeyTools): readonly ActionItem[] {
  return [
    {
      label: vscode.l10n.t('$(copy) Copy Key ID'),
      run: ({ keyId }) => copyText(keyId),
    },
    {
      label: vscode.l10n.t('$(sync) Rotate'),
      run: (target) => rotateApiKey(tools, target),
    },
    {
      label: vscode.l10n.t('$(add) Duplicate'),
      run: (target) => duplicateApiKey(tools, target),
    },
    {
      label: vscode.l10n.t('$(trash) Delete…'),
      run: (target) => deleteApiKey(tools, target),
    },
  ];
}
