import * as vscode from 'vscode';
import { DisposableSet } from '../../../base/disposable';
import { canceled } from '../../../core/api/errors';
import type { FleetFilter } from '../../../core/listing/fleetFilter';
import type { OnlineStatus } from '../../../core/model/entities';
import type { FilterCounts } from './fleetListings';
import { formatCounts } from './formatFilter';
import { statusMeaning, statusTitle } from './formatPresence';

const STATUSES: readonly OnlineStatus[] = ['online', 'offline', 'awaitingSetup', 'unknown'];

interface StatusItem extends vscode.QuickPickItem {
  readonly status: OnlineStatus;
}

/** Counts the matches of a filter. */
export type CountMatches = (
  filter: FleetFilter,
  signal: AbortSignal,
) => Promise<FilterCounts | undefined>;

/**
 * Prompts for the fleet filter: text in the input, statuses in the list. The title shows the number
 * of matches as the user edits the filter. Throws `canceled` if the user dismisses the list.
 */
export async function promptForFilter(
  current: FleetFilter,
  count: CountMatches,
): Promise<FleetFilter> {
  const owned = new DisposableSet();
  const leaving = new AbortController();
  const pick = owned.add(vscode.window.createQuickPick<StatusItem>());
  const title = vscode.l10n.t('Filter Fleet View');
  pick.title = title;
  pick.placeholder = vscode.l10n.t('Filter by name, path, or ID, and select statuses below');
  pick.canSelectMany = true;
  // The text doesn't filter this list.
  pick.items = STATUSES.map((status) => ({
    status,
    label: statusTitle(status),
    description: statusMeaning(status),
    alwaysShow: true,
  }));
  pick.selectedItems = pick.items.filter(({ status }) => current.statuses.includes(status));
  pick.value = current.text;
  const readFilter = (): FleetFilter => ({
    text: pick.value.trim(),
    statuses: pick.selectedItems.map(({ status }) => status),
  });
  let latest = 0;
  const preview = async (): Promise<void> => {
    latest += 1;
    const mine = latest;
    pick.busy = true;
    const counts = await count(readFilter(), leaving.signal).catch(() => undefined);
    if (mine !== latest || leaving.signal.aborted) return;
    pick.busy = false;
    pick.title = counts ? `${title} · ${formatCounts(counts)}` : title;
  };
  try {
    return await new Promise<FleetFilter>((resolve, reject) => {
      owned.add(pick.onDidAccept(() => resolve(readFilter())));
      owned.add(pick.onDidHide(() => reject(canceled())));
      owned.add(pick.onDidChangeValue(() => void preview()));
      owned.add(pick.onDidChangeSelection(() => void preview()));
      pick.show();
      void preview();
    });
  } finally {
    leaving.abort();
    owned.dispose();
  }
}
