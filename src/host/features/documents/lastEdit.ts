import * as vscode from 'vscode';
import type { DocumentAddress } from '../../../core/documents/documentAddress';
import { historySourceOf } from '../../../core/documents/documentSources';
import { editorText, timeText } from '../../platform/editText';
import type { SessionProvider } from '../../platform/sessionProvider';

/** How long a failed save waits for the name of who was faster. */
const LOOK_UP_MILLISECONDS = 3_000;

/** Tells who changed a document last, such as "ada@acme.test changed it at 10:42"; undefined if unknown. */
export async function describeLastEdit(
  sessions: SessionProvider,
  { connectionId, subject }: DocumentAddress,
): Promise<string | undefined> {
  try {
    const history = historySourceOf(sessions.stores(connectionId), subject);
    const signal = AbortSignal.timeout(LOOK_UP_MILLISECONDS);
    const page = await history?.({ limit: 1, signal });
    const edit = page?.items[0];
    if (!edit?.editedOn) return undefined;
    const who = editorText(edit.editor) || vscode.l10n.t('Somebody');
    return vscode.l10n.t('{0} changed it on {1}', who, timeText(edit.editedOn));
  } catch {
    // The name is a courtesy; the conflict itself is what has to be told.
    return undefined;
  }
}
