import * as vscode from 'vscode';
import { configAddress } from '../../../../core/documents/documentTargets';
import type { PartWithPath } from '../../../../core/stores/machinesInScope';
import { findOpenDocument } from '../../../platform/openDocuments';

/** Returns true if the config of a part has unsaved edits in this window. */
export function hasUnsavedEdits({ target }: PartWithPath): boolean {
  return findOpenDocument(configAddress(target))?.isDirty ?? false;
}

/**
 * Returns the message that explains why a part with unsaved edits is skipped, with the recommended
 * action.
 */
export function getUnsavedEditsMessage(): string {
  return vscode.l10n.t('It has unsaved edits in this window. Save or revert them, then retry.');
}
