import * as vscode from 'vscode';
import type { ValueLabels } from '../../core/data/tables/formatCell';
import { formatNumber } from './quantityText';

/** Returns the table labels for values that don't fit into a cell. */
export function getValueLabels(): ValueLabels {
  return {
    items: (count) => vscode.l10n.t('[{0} items]', formatNumber(count)),
    bytes: (count) =>
      count === 1 ? vscode.l10n.t('[1 byte]') : vscode.l10n.t('[{0} bytes]', formatNumber(count)),
  };
}
