import * as vscode from 'vscode';
import { displayName } from '../../../core/model/toDisplayText';
import { type FleetTarget, type ResourceKind, targetId } from '../../../core/model/resourceTarget';
import { formatList } from '../../platform/formatList';

/**
 * Returns the name of a resource for a report. For a part, includes the name of its machine,
 * because parts are often just named `main`.
 */
export function formatTarget(target: FleetTarget): string {
  const name = displayName({ name: target.name, id: targetId(target) });
  if (target.kind !== 'part') return name;
  return `${displayName({ name: target.machineName, id: target.machineId })} › ${name}`;
}

const KINDS: readonly ResourceKind[] = [
  'organization',
  'location',
  'machine',
  'part',
  'fragment',
  'dataset',
  'registryItem',
];

/** Formats the number of targets of each kind, such as `2 locations and 1 machine`. */
export function formatTargetCounts(targets: readonly { readonly kind: ResourceKind }[]): string {
  const counted = KINDS.map((kind) => {
    const count = targets.filter((target) => target.kind === kind).length;
    return count > 0 ? formatKindCount(kind, count) : '';
  });
  return formatList(counted.filter((phrase) => phrase !== ''));
}

// Formats the number of targets of one kind. Uses a complete phrase for each kind, because plural
// rules depend on the language.
function formatKindCount(kind: ResourceKind, count: number): string {
  switch (kind) {
    case 'organization':
      return count === 1
        ? vscode.l10n.t('1 organization')
        : vscode.l10n.t('{0} organizations', count);
    case 'location':
      return count === 1 ? vscode.l10n.t('1 location') : vscode.l10n.t('{0} locations', count);
    case 'machine':
      return count === 1 ? vscode.l10n.t('1 machine') : vscode.l10n.t('{0} machines', count);
    case 'part':
      return count === 1 ? vscode.l10n.t('1 part') : vscode.l10n.t('{0} parts', count);
    case 'fragment':
      return count === 1 ? vscode.l10n.t('1 fragment') : vscode.l10n.t('{0} fragments', count);
    case 'dataset':
      return count === 1 ? vscode.l10n.t('1 dataset') : vscode.l10n.t('{0} datasets', count);
    case 'registryItem':
      return count === 1
        ? vscode.l10n.t('1 registry item')
        : vscode.l10n.t('{0} registry items', count);
  }
}
