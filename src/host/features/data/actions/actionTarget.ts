import * as vscode from 'vscode';
import { countTarget } from '../../../../core/data/actions/countTarget';
import type { BulkTarget } from '../../../../core/data/bulkTarget';
import { FleetError } from '../../../../core/api/errors';
import type { BinaryItem } from '../../../../core/model/binaryItem';
import type { CaptureFilter } from '../../../../core/model/captureFilter';
import type { SelectionRef } from '../../../../shared/data/items';
import type { Applied } from '../dataSession';

/** Target of an action and the scope of its filter. */
export interface ActionTarget {
  readonly target: BulkTarget;
  /** True if the filter restricts only the organization. */
  readonly isEverything: boolean;
}

/**
 * Converts a panel's selection to a target and counts its items. Throws `FleetError` of kind
 * `invalid` if the selection is empty.
 */
export async function actionTarget(
  { browse, stores }: Pick<Applied, 'browse' | 'stores'>,
  { placement, ranges, all }: SelectionRef,
  signal?: AbortSignal,
): Promise<ActionTarget> {
  if (!all) {
    const items: BinaryItem[] = [];
    for (const { start, end } of ranges) {
      items.push(...(await browse.listing(placement).read(start, end, signal)));
    }
    if (items.length === 0) throw createNoItemsError();
    return { target: { kind: 'items', items }, isEverything: false };
  }
  const isEverything = !narrows(browse.filter);
  const bulkFilter = await browse.toBulkFilter(placement);
  const counted = await countTarget(stores.binaryData, bulkFilter ?? browse.filter, signal);
  if (counted.count === 0) throw createNoItemsError();
  if (bulkFilter) return { target: counted, isEverything };
  // The wire protocol can't express this filter, so the action reads all items and skips those that
  // don't match.
  const { count } = await browse.total(placement);
  return { target: { ...counted, count, placement }, isEverything };
}

/** Returns true if a filter selects less than all data of its organizations. */
function narrows(filter: CaptureFilter): boolean {
  const isSet = (value: unknown): boolean =>
    Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';
  return Object.entries(filter).some(([name, value]) => name !== 'organizationIds' && isSet(value));
}

function createNoItemsError(): FleetError {
  return new FleetError('invalid', vscode.l10n.t('Nothing is selected.'));
}
