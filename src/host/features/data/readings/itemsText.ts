import * as vscode from 'vscode';
import { numberText } from '../../../platform/quantityText';

/** How a list is told that is too long for a cell. */
export function itemsText(count: number): string {
  return vscode.l10n.t('[{0} items]', numberText(count));
}
