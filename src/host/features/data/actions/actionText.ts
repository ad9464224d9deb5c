import * as vscode from 'vscode';
import { type BulkTarget, countOf } from '../../../../core/data/bulkTarget';
import { displayText } from '../../../../core/model/displayText';
import type { OrganizationId } from '../../../../core/model/ids';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { listText } from '../../../platform/listText';
import { numberText } from '../../../platform/quantityText';

/** Maximum number of names in a message; more are only counted. */
const MOST_NAMED = 3;

/** Formats a number of items, such as `214 items`. */
export function itemsText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 item') : vscode.l10n.t('{0} items', numberText(count));
}

/** Formats tags or labels in quotation marks. */
export function quotedText(texts: readonly string[]): string {
  return listText(texts.map((text) => `"${displayText(text)}"`));
}

/** Returns the organizations of a target's items. */
export function organizationsOf(target: BulkTarget): readonly OrganizationId[] {
  if (target.kind === 'filter') return target.filter.organizationIds;
  return [...new Set(target.items.map(({ source }) => source.organizationId))];
}

/** Formats a number of items with their organization, such as `214 items of "Norrvik"`. */
export async function itemsOfText(stores: FleetStores, target: BulkTarget): Promise<string> {
  const items = itemsText(countOf(target));
  const names = await organizationNames(stores, organizationsOf(target));
  return vscode.l10n.t('{0} of {1}', items, names);
}

async function organizationNames(
  stores: FleetStores,
  ids: readonly OrganizationId[],
): Promise<string> {
  if (ids.length === 0) return vscode.l10n.t('all your organizations');
  const named = await Promise.all(
    ids.slice(0, MOST_NAMED).map((id) => stores.organizations.get(id)),
  );
  const rest = ids.length - named.length;
  const names = named.map(({ name }) => `"${displayText(name)}"`);
  return listText(rest > 0 ? [...names, vscode.l10n.t('{0} more', rest)] : names);
}
