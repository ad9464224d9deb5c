import * as vscode from 'vscode';
import { configAddress } from '../../../../core/documents/documentTargets';
import type { PartWithPath } from '../../../../core/stores/machinesInScope';
import { findOpenDocument } from '../../../platform/openDocuments';

/** Returns true if the config of a part is open in this window with unsaved edits. */
export function hasUnsavedEdits({ target }: PartWithPath): boolean {
  return findOpenDocument(configAddress(target))?.isDirty ?? false;
}

/** Returns the reason why such a part is skipped, and the recommended action. */
export function getUnsavedEditsMessage(): string {
  return vscode.l10n.t('It has unsaved edits in this window. Save or revert them, then retry.');
}
