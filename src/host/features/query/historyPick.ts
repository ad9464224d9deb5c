import * as vscode from 'vscode';
import { DisposableSet } from '../../../base/disposable';
import { canceled, FleetError, isCanceled, toFleetError } from '../../../core/api/errors';
import { withoutLinks } from '../../../core/model/displayText';
import type { ConnectionId } from '../../../core/model/ids';
import { settings } from '../../../manifest/contributions';
import type { HistoryEntry } from '../../../shared/query/queryPanel';
import {
  formatDateTimeWithSeconds,
  formatNumber,
  toQuickPickText,
} from '../../platform/text/displayText';
import type { QueryHistory } from './queryHistory';

interface EntryItem extends vscode.QuickPickItem {
  readonly entry: HistoryEntry;
}

/** Maximum number of displayed entries; the user can search for the rest. */
const SHOWN = 200;

/**
 * Prompts for an earlier query. The user can search, and delete entries.
 * @throws FleetError `canceled`, and `notFound` if the history is empty
 */
export async function pickFromHistory(
  history: QueryHistory,
  connection: ConnectionId,
): Promise<HistoryEntry> {
  const { total } = await history.search(connection, '', { limit: 0 });
  if (total > 0) return pickEntry(history, connection);
  throw new FleetError(
    'notFound',
    vscode.l10n.t(
      'No queries have been saved for this connection. Queries are saved while the setting {0} is on.',
      settings.queryHistory.key,
    ),
  );
}

function pickEntry(history: QueryHistory, connection: ConnectionId): Promise<HistoryEntry> {
  const owned = new DisposableSet();
  const pick = owned.add(vscode.window.createQuickPick<EntryItem>());
  const removeButton = {
    iconPath: new vscode.ThemeIcon('trash'),
    tooltip: vscode.l10n.t('Remove'),
  };
  pick.placeholder = vscode.l10n.t('Search by words in the query');
  pick.title = vscode.l10n.t('Query History');
  return new Promise<HistoryEntry>((resolve, reject) => {
    let requestNumber = 0;
    const show = async (): Promise<void> => {
      requestNumber += 1;
      const mine = requestNumber;
      const { entries, total } = await history.search(connection, pick.value, { limit: SHOWN });
      if (mine !== requestNumber) return;
      pick.items = entries.map((entry) => toEntryItem(entry, removeButton));
      pick.title = formatTitle(entries.length, total);
    };
    const refresh = (): void => {
      show().catch((error: unknown) => reject(toFleetError(error)));
    };
    owned.add(pick.onDidChangeValue(refresh));
    owned.add(
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        if (item) resolve(item.entry);
      }),
    );
    owned.add(
      pick.onDidTriggerItemButton(({ item }) => {
        history.remove(connection, item.entry.id).then(refresh, (error: unknown) => {
          if (isCanceled(error)) return;
          void vscode.window.showErrorMessage(withoutLinks(toFleetError(error).message));
        });
      }),
    );
    owned.add(pick.onDidHide(() => reject(canceled())));
    pick.show();
    refresh();
  }).finally(() => owned.dispose());
}

function toEntryItem(entry: HistoryEntry, removeButton: vscode.QuickInputButton): EntryItem {
  const { language, text, at, rows } = entry;
  const when = formatDateTimeWithSeconds(new Date(at));
  const count = rows === undefined ? [] : [formatRowCount(rows)];
  return {
    entry,
    label: toQuickPickText(text.trim().replace(/\s+/g, ' ')),
    detail: [language.toUpperCase(), when, ...count].join(' · '),
    // The entry has already been matched by our own search, so VS Code must not filter it out.
    alwaysShow: true,
    buttons: [removeButton],
  };
}

function formatRowCount(rows: number): string {
  return rows === 1 ? vscode.l10n.t('1 row') : vscode.l10n.t('{0} rows', formatNumber(rows));
}

function formatTitle(shown: number, total: number): string {
  if (total === 0) return vscode.l10n.t('Query History: No matching queries');
  if (shown === total) return vscode.l10n.t('Query History');
  return vscode.l10n.t('Query History: showing {0} of {1}', shown, formatNumber(total));
}
