import * as vscode from 'vscode';
import {
  activeSecrets,
  MAX_ACTIVE_SECRETS,
  type MachineSecret,
} from '../../../core/model/machineSecret';
import { relativeTime } from '../../../core/model/relativeTime';

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
export function secretItems(secrets: readonly MachineSecret[], now: Date): readonly SecretItem[] {
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
export function secretName({ id }: Pick<MachineSecret, 'id'>): string {
  const short = id.length > SHORT_ID_LENGTH + 1 ? `${id.slice(0, SHORT_ID_LENGTH)}…` : id;
  return vscode.l10n.t('Secret {0}', short);
}

/** Returns the reason why another secret can't be created. */
export function getTwoSecretsMessage(): string {
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
