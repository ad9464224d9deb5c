import * as vscode from 'vscode';
import { displayName } from '../../../core/model/displayText';

/** Formats a resource's organization for a prompt. */
export function formatOwner(organization: { readonly name: string; readonly id: string }): string {
  return vscode.l10n.t('It belongs to the organization "{0}".', displayName(organization));
}
