import * as vscode from 'vscode';
import { configAddress } from '../../../../core/documents/documentTargets';
import type { PlacedPart } from '../../../../core/stores/machinesInScope';
import { openDocumentOf } from '../../../platform/openDocuments';

/** Returns true if the config of a part is open in this window with unsaved edits. */
export function hasUnsavedEdits({ target }: PlacedPart): boolean {
  return openDocumentOf(configAddress(target))?.isDirty ?? false;
}

/** Returns the reason why such a part is skipped, and the recommended action. */
export function unsavedEditsText(): string {
  return vscode.l10n.t('It has unsaved edits in this window. Save or revert them, then retry.');
}
