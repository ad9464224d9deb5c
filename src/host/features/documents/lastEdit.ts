import * as vscode from 'vscode';
import type { DocumentAddress } from '../../../core/documents/documentAddress';
import { historySourceOf } from '../../../core/documents/documentSources';
import { editorText, timeText } from '../../platform/editText';
import type { SessionProvider } from '../../platform/sessionProvider';

/** How long a failed save waits for the name of the other editor. */
const LOOK_UP_TIMEOUT_MS = 3_000;

/**
 * Says who changed a document last, such as "ada@acme.test changed it on November 23 at 10:42". The
 * user's own key is called that: the change came from another window or program. Undefined if unknown.
 */
export async function describeLastEdit(
  sessions: SessionProvider,
  { connectionId, subject }: DocumentAddress,
): Promise<string | undefined> {
  try {
    const history = historySourceOf(sessions.stores(connectionId), subject);
    const signal = AbortSignal.timeout(LOOK_UP_TIMEOUT_MS);
    const page = await history?.({ limit: 1, signal });
    const edit = page?.items[0];
    if (!edit?.editedOn) return undefined;
    const time = timeText(edit.editedOn);
    const { editor } = edit;
    const isOwnKey =
      editor?.kind === 'apiKey' && editor.name === sessions.connection(connectionId)?.keyId;
    if (isOwnKey) {
      return vscode.l10n.t('Another window or program with your API key changed it on {0}', time);
    }
    const who = editorText(editor) || vscode.l10n.t('Another user');
    return vscode.l10n.t('{0} changed it on {1}', who, time);
  } catch {
    // The name is a courtesy; the message about the conflict works without it.
    return undefined;
  }
}
