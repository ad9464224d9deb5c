import * as vscode from 'vscode';
import type { Role } from '../../core/model/access';
import { displayText } from '../../core/model/displayText';
import { type Granted, hasRight, type Right, type RightsKind } from '../../core/model/permissions';
import { roleText } from './roleText';

/** More addresses than these are only counted. */
const MOST_NAMED = 3;

/** What the key may not do with a resource. */
export function refusalText(right: Right, name: string): string {
  const shown = displayText(name);
  switch (right) {
    case 'administer':
      return vscode.l10n.t('Your key may not change "{0}".', shown);
    case 'control':
      return vscode.l10n.t('Your key may not control "{0}".', shown);
    case 'readLogs':
      return vscode.l10n.t('Your key may not read the logs of "{0}".', shown);
    case 'readSecrets':
      return vscode.l10n.t('Your key may not read the secrets of "{0}".', shown);
    case 'readData':
      return vscode.l10n.t('Your key may not read the captured data of "{0}".', shown);
    case 'writeData':
      return vscode.l10n.t('Your key may not change the captured data of "{0}".', shown);
    case 'train':
      return vscode.l10n.t(
        'Your key may neither see nor change the training jobs of "{0}".',
        shown,
      );
  }
}

/** The role it would need. @param placeName the name of what the role is on. */
export function neededRoleText(role: Role, placeName: string): string {
  const needed = roleText(role, placeName);
  return role.resourceType === 'organization'
    ? vscode.l10n.t('The key needs the role: {0}.', needed)
    : vscode.l10n.t('The key needs the role: {0}, or the same role on what that is in.', needed);
}

/** Who can give the role. @param owners undefined when the key may not read who that is. */
export function whomToAskText(owners: readonly string[] | undefined): string {
  if (!owners || owners.length === 0) return vscode.l10n.t('Ask an owner of the organization.');
  const named = owners.slice(0, MOST_NAMED).map((address) => displayText(address));
  const more = owners.length - named.length;
  const others = more > 0 ? [vscode.l10n.t('{0} more', more)] : [];
  const list = new Intl.ListFormat(vscode.env.language, { type: 'disjunction' });
  return vscode.l10n.t('Ask {0}.', list.format([...named, ...others]));
}

/** What the tooltip of a resource says of a key that may not change it; empty when it may. */
export function limitationText(kind: RightsKind, granted: Granted): string {
  if (hasRight(kind, granted, 'administer')) return '';
  return hasRight(kind, granted, 'control') ? controlledText(kind) : seenText(kind);
}

function controlledText(kind: RightsKind): string {
  switch (kind) {
    case 'organization':
    case 'fragment':
    case 'dataset':
    case 'registryItem':
      return vscode.l10n.t(
        'Your key may look and control machines here, but not change anything: that needs the role Owner of this organization.',
      );
    case 'location':
      return vscode.l10n.t(
        'Your key may look and control machines here, but not change anything: that needs the role Owner of this location.',
      );
    case 'machine':
    case 'part':
      return vscode.l10n.t(
        'Your key may look and control this machine, but not change anything: that needs the role Owner of this machine.',
      );
  }
}

function seenText(kind: RightsKind): string {
  switch (kind) {
    case 'organization':
    case 'fragment':
    case 'dataset':
    case 'registryItem':
      return vscode.l10n.t(
        'Your key may look here, but not change anything: that needs the role Owner of this organization.',
      );
    case 'location':
      return vscode.l10n.t(
        'Your key may look here, but not change anything: that needs the role Owner of this location.',
      );
    case 'machine':
    case 'part':
      return vscode.l10n.t(
        'Your key may look here, but not change anything: that needs the role Owner of this machine.',
      );
  }
}
