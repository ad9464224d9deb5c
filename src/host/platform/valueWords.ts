import * as vscode from 'vscode';
import type { ValueWords } from '../../core/data/tables/cellText';
import { numberText } from './quantityText';

/** Returns the table labels for values that don't fit into a cell. */
export function valueWords(): ValueWords {
  return {
    items: (count) => vscode.l10n.t('[{0} items]', numberText(count)),
    bytes: (count) =>
      count === 1 ? vscode.l10n.t('[1 byte]') : vscode.l10n.t('[{0} bytes]', numberText(count)),
  };
}
