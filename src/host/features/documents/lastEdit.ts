import * as vscode from 'vscode';
import type { DocumentAddress } from '../../../core/documents/documentAddress';
import { getWireFormat, createHistorySource } from '../../../core/documents/documentSources';
import { findKeyNames, type KeyNames } from '../../../core/documents/keyNames';
import { sameJsonText, sameJsonValue } from '../../../core/documents/jsonText';
import { findContentEdit } from '../../../core/documents/revisionList';
import type { Editor } from '../../../core/model/history';
import { formatEditor, formatVersionTime } from '../../platform/editText';
import type { SessionProvider } from '../../platform/sessionProvider';

/**
 * Maximum time in milliseconds that a failed save waits for the name of the user who made the
 * remote change.
 */
const LOOK_UP_TIMEOUT_MS = 3_000;

/** Author of an edit. `ownKey` means that another window or program used the user's own key. */
export type LastEditor =
  | { readonly kind: 'ownKey' | 'machine' | 'unknown' }
  | { readonly kind: 'named'; readonly name: string };

/** Edit that created the remote version of a document. */
export interface LastEdit {
  readonly editor: LastEditor;
  /** Formatted in the user's time zone. */
  readonly time: string;
}

/**
 * Finds the edit that made `text` the content of a document; undefined if unknown. Skips renames,
 * which have their own history entries.
 */
export async function findLastEdit(
  sessions: SessionProvider,
  { connectionId, subject }: DocumentAddress,
  text: string,
): Promise<LastEdit | undefined> {
  try {
    const stores = sessions.stores(connectionId);
    const history = createHistorySource(stores, subject);
    const isSameContent = getWireFormat(subject) === 'text' ? sameJsonText : sameJsonValue;
    const signal = AbortSignal.timeout(LOOK_UP_TIMEOUT_MS);
    const entry = history && (await findContentEdit(history, text, isSameContent, signal));
    if (!entry?.editedOn) return undefined;
    const keyId = sessions.connection(connectionId)?.keyId;
    const isOtherKey = entry.editor?.kind === 'apiKey' && entry.editor.name !== keyId;
    const keyNames = isOtherKey ? await findKeyNames(stores, subject, signal) : new Map();
    const editor = toLastEditor(entry.editor, keyId, keyNames);
    return { editor, time: formatVersionTime(entry.editedOn) };
  } catch {
    // The conflict message doesn't require the name.
    return undefined;
  }
}

/** Formats an edit for a confirmation prompt. */
export function formatLastEdit({ editor, time }: LastEdit): string {
  switch (editor.kind) {
    case 'ownKey':
      return vscode.l10n.t(
        'Another window or program that uses your API key changed it on {0}.',
        time,
      );
    case 'machine':
      return vscode.l10n.t('The machine changed the document on {0}.', time);
    case 'unknown':
      return vscode.l10n.t('Another user changed it on {0}.', time);
    case 'named':
      return vscode.l10n.t('{0} changed the document on {1}.', editor.name, time);
  }
}

function toLastEditor(
  editor: Editor | undefined,
  ownKeyId: string | undefined,
  keyNames: KeyNames,
): LastEditor {
  if (!editor?.name) return { kind: 'unknown' };
  switch (editor.kind) {
    case 'partSecret':
    case 'locationSecret':
      return { kind: 'machine' };
    case 'apiKey':
      if (editor.name === ownKeyId) return { kind: 'ownKey' };
      return { kind: 'named', name: formatEditor(editor, keyNames) };
    default:
      return { kind: 'named', name: formatEditor(editor, keyNames) };
  }
}
