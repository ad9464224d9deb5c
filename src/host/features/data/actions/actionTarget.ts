import * as vscode from 'vscode';
import { countTarget } from '../../../../core/data/actions/inspectTarget';
import { type BulkTarget, getItemCount } from '../../../../core/data/actions/bulkAction';
import { FleetError } from '../../../../core/api/errors';
import type { BinaryItem } from '../../../../core/model/binaryItem';
import type { CaptureFilter } from '../../../../core/model/captureFilter';
import type { SelectionRef } from '../../../../shared/data/items';
import type { Applied } from '../dataSession';
import { toDisplayText } from '../../../../core/model/displayText';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { confirm, confirmByName } from '../../../platform/prompts/prompts';
import { formatItemCount, formatItemsByOrganization, listOrganizations } from './actionMessages';

/** An action's target and its filter's scope. */
export interface ActionTarget {
  readonly target: BulkTarget;
  /** True if the filter restricts only the organization. */
  readonly isUnfiltered: boolean;
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
    return { target: { kind: 'items', items }, isUnfiltered: false };
  }
  const isUnfiltered = !narrows(browse.filter);
  const bulkFilter = await browse.toBulkFilter(placement);
  const counted = await countTarget(stores.binaryData, bulkFilter ?? browse.filter, signal);
  if (counted.count === 0) throw createNoItemsError();
  if (bulkFilter) return { target: counted, isUnfiltered };
  // The wire protocol can't express this filter, so the action reads all items and skips those that
  // don't match.
  const { count } = await browse.total(placement);
  return { target: { ...counted, count, placement }, isUnfiltered };
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

/**
 * Prompts for confirmation before an action changes all of a filter's matches. Individually
 * selected items need no confirmation. Throws `canceled`.
 * @param question prompt text, including the count
 */
export async function confirmWhole(
  { target }: ActionTarget,
  question: string,
  yes: string,
): Promise<void> {
  if (target.kind === 'items') return;
  const detail = vscode.l10n.t(
    "This applies to everything that currently matches the filter. Data captured later isn't affected.",
  );
  await confirm(question, detail, yes);
}

/**
 * Prompts the user to type the number of items to delete. If these are all of the organization's
 * items, first prompts for the organization's name. Throws `canceled`.
 */
export async function confirmDeletion(
  stores: FleetStores,
  { target, isUnfiltered: isEverything }: ActionTarget,
): Promise<void> {
  const counted = await formatItemsByOrganization(stores, target);
  const title = vscode.l10n.t('Delete {0}', counted);
  if (isEverything) {
    await confirmUnfilteredDeletion(stores, { target, isUnfiltered: isEverything }, title);
  }
  const count = vscode.l10n.t('delete {0}', getItemCount(target));
  await confirmByName({
    title,
    prompt: [
      vscode.l10n.t(
        'This also deletes their tags and bounding boxes, and removes them from all datasets.',
      ),
      vscode.l10n.t('This can\'t be undone. Type "{0}" to confirm.', count),
    ].join(' '),
    name: count,
  });
}

async function confirmUnfilteredDeletion(
  stores: FleetStores,
  { target }: ActionTarget,
  title: string,
): Promise<void> {
  const ids = listOrganizations(target);
  const [only] = ids;
  const name =
    only !== undefined && ids.length === 1
      ? toDisplayText((await stores.organizations.get(only)).name)
      : vscode.l10n.t('all organizations');
  await confirmByName({
    title,
    prompt: [
      vscode.l10n.t(
        "The filter doesn't exclude anything. It matches all {0}.",
        formatItemCount(getItemCount(target)),
      ),
      vscode.l10n.t('This can\'t be undone. Type "{0}" to confirm.', name),
    ].join(' '),
    name,
  });
}
