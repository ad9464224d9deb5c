import * as vscode from 'vscode';
import type { LogWords } from '../../../core/logs/logWords';
import { numberText } from '../../platform/quantityText';

/** What a log says of its own accord, in the language of VS Code. */
export function logWords(): LogWords {
  return {
    ended: vscode.l10n.t('The service has ended the stream of new lines.'),
    full: (limit) =>
      vscode.l10n.t(
        'There is no room for more lines: a log panel keeps {0} at most. Raise "fleetwright.logs.bufferLimit", or clear the panel.',
        numberText(limit),
      ),
  };
}
