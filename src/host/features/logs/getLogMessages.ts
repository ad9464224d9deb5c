import * as vscode from 'vscode';
import type { LogMessages } from '../../../core/logs/logMessages';
import { formatNumber } from '../../platform/quantityText';

/** Returns the localized messages that the log itself generates. */
export function getLogMessages(): LogMessages {
  return {
    ended: vscode.l10n.t('The service closed the log stream.'),
    full: (limit) =>
      vscode.l10n.t(
        'The log panel is full ({0} lines). Increase "fleetwright.logs.bufferLimit" or clear the panel.',
        formatNumber(limit),
      ),
  };
}
