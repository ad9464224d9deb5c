import * as vscode from 'vscode';
import {
  type ActionResult,
  type BulkTarget,
  getItemCount,
  type NotStartedItems,
} from '../../../../core/data/actions/bulkAction';
import { FleetError } from '../../../../core/api/errors';
import { toDisplayText } from '../../../../core/model/displayText';
import type { OrganizationId } from '../../../../core/model/ids';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { formatList, formatNumber } from '../../../platform/text/displayText';
import type { BinaryItem } from '../../../../core/model/binaryItem';
import { toMilliseconds } from '../../../../core/model/timestamp';
import type { BulkReport, Names } from '../../../platform/commands/bulkReports';
import { itemName, type NamedItem } from '../items/itemViews';

/** Maximum number of names to list in a message; the rest are only counted. */
const MAX_LISTED = 3;

/** Formats a number of items, such as `214 items`. */
export function formatItemCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 item') : vscode.l10n.t('{0} items', formatNumber(count));
}

/** Returns the organizations of a target's items. */
export function listOrganizations(target: BulkTarget): readonly OrganizationId[] {
  if (target.kind === 'filter') return target.filter.organizationIds;
  return [...new Set(target.items.map(({ source }) => source.organizationId))];
}

/**
 * Returns the only organization of a target's items.
 * @param message error message if there is more than one organization
 * @throws FleetError `invalid`
 */
export function requireOneOrganization(target: BulkTarget, message: string): OrganizationId {
  const [organization, other] = listOrganizations(target);
  if (organization !== undefined && other === undefined) return organization;
  throw new FleetError('invalid', message);
}

/** Formats a number of items with their organization, such as `214 items in "Norrvik"`. */
export async function formatItemsByOrganization(
  stores: FleetStores,
  target: BulkTarget,
): Promise<string> {
  const items = formatItemCount(getItemCount(target));
  const names = await organizationNames(stores, listOrganizations(target));
  return vscode.l10n.t('{0} in {1}', items, names);
}

async function organizationNames(
  stores: FleetStores,
  ids: readonly OrganizationId[],
): Promise<string> {
  if (ids.length === 0) return vscode.l10n.t('all your organizations');
  const named = await Promise.all(
    ids.slice(0, MAX_LISTED).map((id) => stores.organizations.get(id)),
  );
  const rest = ids.length - named.length;
  const names = named.map(({ name }) => `"${toDisplayText(name)}"`);
  return formatList(rest > 0 ? [...names, vscode.l10n.t('{0} more', rest)] : names);
}

/** Returns the report for an action. */
export function actionReport(title: string, result: ActionResult): BulkReport {
  const { done, unchanged, failed, notStarted, stopped, undo } = result;
  const details = [
    ...(stopped ? [vscode.l10n.t('The action stopped early: {0}', stopped.message)] : []),
    ...(undo === 'discarded'
      ? [
          vscode.l10n.t(
            "This action can't be undone because it affects too many items to save their previous values.",
          ),
        ]
      : []),
  ];
  return {
    title,
    ...(details.length > 0 && { details: details.join('\n') }),
    done,
    unchanged,
    notStarted: reportedNames(notStarted),
    failed: failed.map(({ item, error }) => ({ name: reportedName(item), reason: error.message })),
    skipped: [],
  };
}

/** Returns the names of items for reports, or their number if the items are unknown. */
export function reportedNames(items: NotStartedItems): Names {
  return typeof items === 'number' ? items : items.map(reportedName);
}

/** Returns an item's name for reports, including its ID because names are often not unique. */
export function reportedName(item: NamedItem & Pick<BinaryItem, 'at'>): string {
  const at = new Date(toMilliseconds(item.at)).toISOString();
  return `${toDisplayText(itemName(item))} (${at}, ${toDisplayText(item.id)})`;
}
