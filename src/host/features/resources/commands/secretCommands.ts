import * as vscode from 'vscode';
import { formatOwner } from '../../../../core/confirmations/confirmation';
import { getNames } from '../../../../core/model/resourceName';
import type { LocationTarget, PartTarget } from '../../../../core/model/resourceTarget';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { owningOrganization } from '../../../../core/stores/ownersAbove';
import { formatNames } from '../../../platform/text/displayText';
import type { FleetTools } from '../../../platform/fleetTools';
import { resolveTarget } from '../../../platform/prompts/resolveTarget';
import { FleetError } from '../../../../core/api/errors';
import { toDisplayText } from '../../../../core/model/displayText';
import {
  activeSecrets,
  formatCloudCredentials,
  type MachineSecret,
  MAX_ACTIVE_SECRETS,
  type SecretOwner,
} from '../../../../core/stores/secretStore';
import { requireConnection } from '../../../platform/sessionProvider';
import { requireWritable } from '../../../../core/api/readOnly';
import { confirm, pickOne } from '../../../platform/prompts/prompts';
import { copyText } from '../../../platform/commands/statusMessage';
import { backOnCancel } from './promptForSetting';
import { relativeTime } from '../../../../core/model/presence';

/** Lists the secrets that the machines in a location use to sign in. */
export async function openLocationSecrets(
  tools: FleetTools,
  requestedTarget: LocationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'location', requestedTarget, 'readSecrets');
  await manageSecrets({
    stores,
    owner: { kind: 'location', id: target.locationId },
    ownerText: vscode.l10n.t('the location "{0}"', target.name),
    consequence: (left) => consequence(stores, target, left),
  });
}

/**
 * Describes the machines that could lose access. The service doesn't report which secret each
 * machine uses.
 */
async function consequence(
  stores: FleetStores,
  target: LocationTarget,
  left: number,
): Promise<string> {
  const [machines, organization] = await Promise.all([
    stores.machines.list(target.locationId, { fresh: true }),
    owningOrganization(stores, target),
  ]);
  return [
    formatOwner(organization, vscode.l10n),
    describeMachines(getNames(machines)),
    describeRemainingSecrets(left),
  ].join(' ');
}

function describeMachines(names: readonly string[]): string {
  switch (names.length) {
    case 0:
      return vscode.l10n.t('This location has no machines.');
    case 1:
      return vscode.l10n.t(
        'This location has one machine: {0}. If it signs in with this secret, it loses access immediately.',
        formatNames(names),
      );
    default:
      return vscode.l10n.t(
        'This location has {0} machines: {1}. Any machine that signs in with this secret loses access immediately.',
        names.length,
        formatNames(names),
      );
  }
}

/** Explains whether another secret remains valid. */
export function describeRemainingSecrets(left: number): string {
  return left > 0
    ? vscode.l10n.t('The other secret remains valid.')
    : vscode.l10n.t(
        'This is the last secret. Until you create a new one, nothing can authenticate with a secret.',
      );
}

/** Lists the secrets that a part uses to sign in. */
export async function openPartSecrets(
  tools: FleetTools,
  requestedTarget: PartTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'part', requestedTarget, 'readSecrets');
  await manageSecrets({
    stores,
    owner: { kind: 'part', id: target.partId },
    ownerText: vscode.l10n.t('the part "{0}" of "{1}"', target.name, target.machineName),
    consequence: async (left) => {
      const organization = await owningOrganization(stores, target);
      return [
        formatOwner(organization, vscode.l10n),
        vscode.l10n.t(
          'The machine "{0}" loses access immediately if this part signs in with it.',
          target.machineName,
        ),
        describeRemainingSecrets(left),
      ].join(' ');
    },
  });
}

/**
 * Copies the credentials that a part's computer uses to connect. They are the contents of
 * `/etc/viam.json`.
 */
export async function copyPartCredentials(
  tools: FleetTools,
  requestedTarget: PartTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'part', requestedTarget, 'readSecrets');
  const { baseUrl } = requireConnection(tools.sessions, target.connectionId);
  const all = await stores.secrets.list({ kind: 'part', id: target.partId });
  // If there are two secrets, uses the newer one, because the user will probably delete the older
  // one.
  const secret = activeSecrets(all).at(-1)?.secret;
  if (secret === undefined) {
    const message = vscode.l10n.t(
      'The part "{0}" of "{1}" has no secret to sign in with. To create one, run "Manage Part Secrets…".',
      target.name,
      target.machineName,
    );
    throw new FleetError('notFound', message);
  }
  const text = formatCloudCredentials({ baseUrl, partId: target.partId, secret });
  await vscode.env.clipboard.writeText(text);
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Copied the credentials for "{0}". Save them to /etc/viam.json on the machine.',
      toDisplayText(target.name),
    ),
  );
}

export interface SecretsOptions {
  readonly stores: FleetStores;
  readonly owner: SecretOwner;
  /** The secrets' owner, such as `the location "Lab"`. */
  readonly ownerText: string;
  /**
   * Describes the effect of deleting a secret for the confirmation prompt.
   * @param left number of remaining active secrets.
   */
  readonly consequence: (left: number) => Promise<string>;
}

/** Lists the secrets for a location or part. The user can copy or delete a selected secret. */
async function manageSecrets(options: SecretsOptions): Promise<void> {
  for (;;) {
    const all = await options.stores.secrets.list(options.owner);
    const { secret } = await pickOne(secretItems(all, new Date()), {
      title: vscode.l10n.t('Secrets of {0}', options.ownerText),
      placeholder: vscode.l10n.t('Select a secret to copy or delete it'),
    });
    await backOnCancel(() => (secret ? useSecret(options, secret) : create(options)));
  }
}

async function useSecret(options: SecretsOptions, secret: MachineSecret): Promise<void> {
  const name = secretName(secret);
  const items = [
    { label: vscode.l10n.t('$(copy) Copy Secret'), run: () => copySecret(options, secret) },
    { label: vscode.l10n.t('$(copy) Copy Secret ID'), run: () => copyText(secret.id) },
    { label: vscode.l10n.t('$(trash) Delete'), run: () => remove(options, secret) },
  ];
  const { run } = await pickOne(items, {
    title: vscode.l10n.t('{0} ({1})', name, options.ownerText),
    placeholder: vscode.l10n.t('Select an action'),
  });
  await run();
}

async function create(options: SecretsOptions): Promise<void> {
  requireWritable(options.stores.access.readOnlyConnection, vscode.l10n);
  // Another user might have changed the secrets since they were listed.
  const all = await options.stores.secrets.list(options.owner);
  if (activeSecrets(all).length >= MAX_ACTIVE_SECRETS) {
    void vscode.window.showWarningMessage(getTwoSecretsMessage());
    return;
  }
  const known = new Set(all.map(({ id }) => id));
  const created = (await options.stores.secrets.create(options.owner)).find(
    ({ id }) => !known.has(id),
  );
  void offerCopy(options, created);
}

async function offerCopy(
  options: SecretsOptions,
  created: MachineSecret | undefined,
): Promise<void> {
  const copy = vscode.l10n.t('Copy Secret');
  const message = vscode.l10n.t('Created a secret for {0}.', options.ownerText);
  const chosen = await vscode.window.showInformationMessage(message, ...(created ? [copy] : []));
  if (created && chosen === copy) await copySecret(options, created);
}

async function remove(options: SecretsOptions, secret: MachineSecret): Promise<void> {
  requireWritable(options.stores.access.readOnlyConnection, vscode.l10n);
  const current = await options.stores.secrets.list(options.owner);
  const left = activeSecrets(current).filter(({ id }) => id !== secret.id).length;
  await confirm(
    vscode.l10n.t('Delete {0} of {1}?', secretName(secret), options.ownerText),
    await options.consequence(left),
    vscode.l10n.t('Delete'),
  );
  await options.stores.secrets.delete(options.owner, secret.id);
}

/** Copies a secret to the clipboard. The secret is never written anywhere else. */
async function copySecret(options: SecretsOptions, secret: MachineSecret): Promise<void> {
  await vscode.env.clipboard.writeText(secret.secret);
  const message = vscode.l10n.t('Copied {0} for {1}.', secretName(secret), options.ownerText);
  void vscode.window.showInformationMessage(message);
}

/** Text displayed instead of a secret. It doesn't reveal the secret's length. */
const MASK = '••••••••••••';
const SHORT_ID_LENGTH = 8;

export interface SecretItem extends vscode.QuickPickItem {
  /** The item's secret; undefined for the item that creates a new secret. */
  readonly secret: MachineSecret | undefined;
}

/**
 * Returns quick pick items for the masked secrets for a location or part, and an item for creating
 * a secret.
 */
function secretItems(secrets: readonly MachineSecret[], now: Date): readonly SecretItem[] {
  const full = activeSecrets(secrets).length >= MAX_ACTIVE_SECRETS;
  return [
    ...secrets.map((secret) => ({
      label: `$(key) ${secretName(secret)}`,
      description: MASK,
      detail: [formatCreated(secret, now), formatState(secret)].filter((text) => text).join(' · '),
      secret,
    })),
    {
      label: vscode.l10n.t('$(add) Create Secret'),
      detail: full
        ? getTwoSecretsMessage()
        : vscode.l10n.t('Machines can switch to the new secret before you delete the current one.'),
      secret: undefined,
    },
  ];
}

/** Returns a name for a secret that doesn't reveal the secret: the start of its ID. */
function secretName({ id }: Pick<MachineSecret, 'id'>): string {
  const short = id.length > SHORT_ID_LENGTH + 1 ? `${id.slice(0, SHORT_ID_LENGTH)}…` : id;
  return vscode.l10n.t('Secret {0}', short);
}

/** Returns the reason why another secret can't be created. */
function getTwoSecretsMessage(): string {
  return vscode.l10n.t(
    'There are already two active secrets, which is the maximum. Delete one first.',
  );
}

function formatCreated({ createdOn }: MachineSecret, now: Date): string {
  if (!createdOn) return '';
  const date = createdOn.toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
  const ago = relativeTime(createdOn, now, vscode.env.language);
  return vscode.l10n.t('created {0}, on {1}', ago, date);
}

function formatState({ state }: MachineSecret): string {
  switch (state) {
    case 'enabled':
      return vscode.l10n.t('enabled');
    case 'disabled':
      return vscode.l10n.t('disabled');
    case 'unknown':
      return '';
  }
}
