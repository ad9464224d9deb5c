import * as vscode from 'vscode';
import type { Editor } from '../../core/model/history';
import { versionToMilliseconds, type VersionToken } from '../../core/model/versionToken';

/** Who made a change, as a person would say it; empty when the service does not tell. */
export function editorText(editor: Editor | undefined): string {
  if (!editor?.name) return '';
  switch (editor.kind) {
    case 'apiKey':
      return vscode.l10n.t('API key {0}', editor.name);
    case 'partSecret':
    case 'locationSecret':
      return vscode.l10n.t('the machine itself');
    default:
      return editor.name;
  }
}

/** When a change was made, in the time zone of this machine. */
export function timeText(version: VersionToken): string {
  const format = { dateStyle: 'medium', timeStyle: 'short' } as const;
  return new Date(versionToMilliseconds(version)).toLocaleString(vscode.env.language, format);
}
