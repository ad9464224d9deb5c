import * as vscode from 'vscode';
import { addressKey } from '../../../../core/documents/documentAddress';
import { configAddress } from '../../../../core/documents/documentTargets';
import type { PlacedPart } from '../../../../core/stores/machinesInScope';
import { addressOf } from '../../../platform/documentUris';

/** Whether the config of a part is open in this window with edits that are not saved. */
export function hasUnsavedEdits({ target }: PlacedPart): boolean {
  const key = addressKey(configAddress(target));
  return vscode.workspace.textDocuments.some(({ uri, isDirty }) => {
    const address = isDirty ? addressOf(uri) : undefined;
    return address !== undefined && addressKey(address) === key;
  });
}

/** Why such a part is left alone, and what to do. */
export function unsavedEditsText(): string {
  return vscode.l10n.t('It has unsaved edits in this window. Save or revert them, then retry.');
}
