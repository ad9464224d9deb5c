import * as vscode from 'vscode';
import { type FleetFilter, isFiltering } from '../../../core/listing/fleetFilter';
import { toDisplayText } from '../../../core/model/toDisplayText';
import { formatList } from '../../platform/formatList';
import type { FilterCounts } from './fleetListings';
import { formatOnlineStatus } from './formatPresence';

/** Formats a filter, such as `"rover", offline`. */
export function formatFilter({ text, statuses }: FleetFilter): string {
  const textParts = text.trim() === '' ? [] : [`"${toDisplayText(text.trim())}"`];
  const states = new Intl.ListFormat(vscode.env.language, { type: 'disjunction' }).format(
    statuses.map(formatOnlineStatus),
  );
  return [...textParts, ...(states === '' ? [] : [states])].join(', ');
}

/** Returns the message above the tree; undefined without a filter. */
export function filterMessage(
  filter: FleetFilter,
  counts: FilterCounts | undefined,
): string | undefined {
  if (!isFiltering(filter)) return undefined;
  const shown = vscode.l10n.t('Filter: {0}.', formatFilter(filter));
  return counts ? `${shown} ${formatCounts(counts)}.` : `${shown} ${vscode.l10n.t('Loading…')}`;
}

/** Formats the number of matches, and of lists that couldn't be read. */
export function formatCounts({ machines, total, others, failed }: FilterCounts): string {
  const format = new Intl.NumberFormat(vscode.env.language);
  const [shown, all] = [format.format(machines), format.format(total)];
  const isEmpty = machines + others === 0;
  const matching = isEmpty
    ? vscode.l10n.t('No matches among {0} machines', all)
    : vscode.l10n.t('{0} of {1} machines match', shown, all);
  const unread =
    failed > 0 ? [vscode.l10n.t("{0} lists couldn't be read", format.format(failed))] : [];
  return formatList([matching, ...unread]);
}
