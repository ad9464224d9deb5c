import * as vscode from 'vscode';
import {
  activeSecrets,
  type MachineSecret,
  MAX_ACTIVE_SECRETS,
  type SecretOwner,
} from '../../../core/model/machineSecret';
import type { SecretStore } from '../../../core/stores/secretStore';
import { confirm, pickOne } from '../../platform/prompts';
import { copyText } from '../../platform/statusMessage';
import { backOnCancel } from './backOnCancel';
import { relativeTime } from '../../../core/model/relativeTime';

export interface SecretsOptions {
  readonly secrets: SecretStore;
  readonly owner: SecretOwner;
  /** Owner of the secrets, such as `the location "Lab"`. */
  readonly ownerText: string;
  /**
   * Describes the effect of deleting a secret for the confirmation prompt.
   * @param left number of remaining active secrets.
   */
  readonly consequence: (left: number) => Promise<string>;
}

/** Lists the secrets of a location or a part. The user can copy or delete a selected secret. */
export async function manageSecrets(options: SecretsOptions): Promise<void> {
  for (;;) {
    const all = await options.secrets.list(options.owner);
    const { secret } = await pickOne(secretItems(all, new Date()), {
      title: vscode.l10n.t('Secrets of {0}', options.ownerText),
      placeholder: vscode.l10n.t('Select a secret to copy or delete it'),
    });
    await backOnCancel(() => (secret ? useSecret(options, all, secret) : create(options)));
  }
}

async function useSecret(
  options: SecretsOptions,
  all: readonly MachineSecret[],
  secret: MachineSecret,
): Promise<void> {
  const name = secretName(secret);
  const items = [
    { label: vscode.l10n.t('$(copy) Copy Secret'), run: () => copySecret(options, secret) },
    { label: vscode.l10n.t('$(copy) Copy Secret ID'), run: () => copyText(secret.id) },
    { label: vscode.l10n.t('$(trash) Delete'), run: () => remove(options, all, secret) },
  ];
  const { run } = await pickOne(items, {
    title: vscode.l10n.t('{0} ({1})', name, options.ownerText),
    placeholder: vscode.l10n.t('Select an action'),
  });
  await run();
}

async function create(options: SecretsOptions): Promise<void> {
  // Another user might have created or deleted a secret while the list was open.
  const all = await options.secrets.list(options.owner);
  if (activeSecrets(all).length >= MAX_ACTIVE_SECRETS) {
    void vscode.window.showWarningMessage(getTwoSecretsMessage());
    return;
  }
  const known = new Set(all.map(({ id }) => id));
  const created = (await options.secrets.create(options.owner)).find(({ id }) => !known.has(id));
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

async function remove(
  options: SecretsOptions,
  all: readonly MachineSecret[],
  secret: MachineSecret,
): Promise<void> {
  const left = activeSecrets(all).filter(({ id }) => id !== secret.id).length;
  await confirm(
    vscode.l10n.t('Delete {0} of {1}?', secretName(secret), options.ownerText),
    await options.consequence(left),
    vscode.l10n.t('Delete'),
  );
  await options.secrets.delete(options.owner, secret.id);
}

/** Copies a secret to the clipboard. It is never written anywhere else. */
async function copySecret(options: SecretsOptions, secret: MachineSecret): Promise<void> {
  await vscode.env.clipboard.writeText(secret.secret);
  const message = vscode.l10n.t('Copied {0} for {1}.', secretName(secret), options.ownerText);
  void vscode.window.showInformationMessage(message);
}

/** Text displayed instead of a secret. It doesn't reveal the secret's length. */
const MASK = '••••••••••••';
const SHORT_ID_LENGTH = 8;

export interface SecretItem extends vscode.QuickPickItem {
  /** Secret of the item; undefined for the item that creates a new secret. */
  readonly secret: MachineSecret | undefined;
}

/**
 * Returns quick pick items for the masked secrets of a location or a part, and an item for creating
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
