import type { Localizer } from '../../base/localizer';
import type { BinaryItem } from '../model/binaryItem';
import type { Dataset } from '../model/dataset';
import type { ConnectionId } from '../model/ids';
import type { MachineTarget } from '../model/resourceTarget';
import { quoteName } from './confirmation';

/** Change to captured items that people and agents can make. */
export type ItemChange =
  | { readonly kind: 'addTags' | 'removeTags'; readonly tags: readonly string[] }
  | {
      readonly kind: 'addToDataset' | 'removeFromDataset';
      readonly dataset: Pick<Dataset, 'id' | 'name'>;
    };

/**
 * Describes a change, such as `Add "night" to 3 items in "Norrvik"`.
 *
 * @param counted number of items with their organization
 * @param formatList joins quoted tags
 */
export function formatItemChange(
  change: ItemChange,
  counted: string,
  formatList: (texts: readonly string[]) => string,
  l10n: Localizer,
): string {
  switch (change.kind) {
    case 'addTags':
      return l10n.t('Add {0} to {1}', formatList(change.tags.map(quoteName)), counted);
    case 'removeTags':
      return l10n.t('Remove {0} from {1}', formatList(change.tags.map(quoteName)), counted);
    case 'addToDataset':
      return l10n.t('Add {0} to dataset {1}', counted, quoteName(change.dataset.name));
    case 'removeFromDataset':
      return l10n.t('Remove {0} from dataset {1}', counted, quoteName(change.dataset.name));
  }
}

/** Returns the label of the button that makes a change. */
export function formatItemAction({ kind }: ItemChange, l10n: Localizer): string {
  switch (kind) {
    case 'addTags':
      return l10n.t('Add Tags');
    case 'removeTags':
      return l10n.t('Remove Tags');
    case 'addToDataset':
      return l10n.t('Add');
    case 'removeFromDataset':
      return l10n.t('Remove');
  }
}

/** Maximum number of machines to check for items. The service checks the rest. */
export const MAX_CHECKED_MACHINES = 50;

/** Returns the machines that captured items, at most `MAX_CHECKED_MACHINES`. */
export function listItemMachines(
  connectionId: ConnectionId,
  items: readonly BinaryItem[],
): readonly MachineTarget[] {
  const machines = new Map<string, MachineTarget>();
  for (const { source } of items) {
    if (machines.size === MAX_CHECKED_MACHINES) break;
    const { organizationId, locationId, machineId, machineName: name } = source;
    machines.set(machineId, {
      kind: 'machine',
      connectionId,
      organizationId,
      locationId,
      machineId,
      name,
    });
  }
  return [...machines.values()];
}
