import * as vscode from 'vscode';
import type { KeyNames } from '../../core/documents/keyNames';
import { toDisplayText } from '../../core/model/toDisplayText';
import type { Editor } from '../../core/model/history';
import { versionToMilliseconds, type VersionToken } from '../../core/model/versionToken';
import { formatDateTime } from './formatDateTime';

const SHORT_ID_LENGTH = 8;

/** Formats the author of a change; empty if the service doesn't report it. */
export function formatEditor(editor: Editor | undefined, keyNames: KeyNames): string {
  if (!editor?.name) return '';
  switch (editor.kind) {
    case 'apiKey': {
      const name = keyNames.get(editor.name) ?? '';
      return name === ''
        ? vscode.l10n.t('API key with ID {0}', shortId(editor.name))
        : vscode.l10n.t('API key "{0}"', toDisplayText(name));
    }
    case 'partSecret':
    case 'locationSecret':
      return vscode.l10n.t('the machine itself');
    default:
      return editor.name;
  }
}

/** Formats the time of a change, in the time zone of this computer. */
export function formatVersionTime(version: VersionToken): string {
  return formatDateTime(new Date(versionToMilliseconds(version)));
}

/** Returns the start of a UUID, which is sufficient to distinguish keys and fits into a message. */
function shortId(id: string): string {
  return id.length > SHORT_ID_LENGTH + 1 ? `${id.slice(0, SHORT_ID_LENGTH)}…` : id;
}
