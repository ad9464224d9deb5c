import * as vscode from 'vscode';
import { isCanceled } from '../../../core/api/errors';
import type { ConnectionId } from '../../../core/model/ids';
import { settings } from '../../../manifest/contributions';
import type { HostHandlers } from '../../../shared/protocol';
import type { QueryProtocol } from '../../../shared/query/queryPanel';
import { confirm } from '../../platform/prompts/prompts';
import { readSetting } from '../../platform/settingsReader';
import type { QueryHistory } from './queryHistory';

type HistoryHandlers = Pick<
  HostHandlers<QueryProtocol>,
  'searchHistory' | 'forgetQuery' | 'forgetHistory'
>;

/** Maximum number of entries per request; a page never shows more. */
const MAX_ENTRIES = 500;

/** Returns the handlers for a connection's history messages. */
export function historyHandlers(history: QueryHistory, connection: ConnectionId): HistoryHandlers {
  return {
    searchHistory: async ({ searchText: words, start, end }) => ({
      ...(await history.search(connection, words, start, Math.min(end, start + MAX_ENTRIES))),
      isEnabled: readSetting(settings.queryHistory),
    }),
    forgetQuery: async ({ id }) => {
      await history.forget(connection, id);
      return undefined;
    },
    forgetHistory: async () => ({ forgotten: await forgetAll(history, connection) }),
  };
}

/**
 * Deletes a connection's history after the user confirms.
 * @returns true if it was deleted
 */
async function forgetAll(history: QueryHistory, connection: ConnectionId): Promise<boolean> {
  const { total } = await history.search(connection, '', 0, 0);
  if (total === 0) return false;
  const question =
    total === 1
      ? vscode.l10n.t("Clear the only query from this connection's history?")
      : vscode.l10n.t("Clear all {0} queries from this connection's history?", total);
  try {
    await confirm(
      question,
      vscode.l10n.t('Queries saved as files are not deleted.'),
      vscode.l10n.t('Clear All'),
    );
  } catch (error) {
    if (isCanceled(error)) return false;
    throw error;
  }
  await history.forgetAll(connection);
  return true;
}
