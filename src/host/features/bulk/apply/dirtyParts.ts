import * as vscode from 'vscode';
import { configAddress } from '../../../../core/documents/documentTargets';
import type { PlacedPart } from '../../../../core/stores/machinesInScope';
import { openDocumentOf } from '../../../platform/openDocuments';

/** Whether the config of a part is open in this window with edits that are not saved. */
export function hasUnsavedEdits({ target }: PlacedPart): boolean {
  return openDocumentOf(configAddress(target))?.isDirty ?? false;
}

/** Why such a part is left alone, and what to do. */
export function unsavedEditsText(): string {
  return vscode.l10n.t('It has unsaved edits in this window. Save or revert them, then retry.');
}
