import * as vscode from 'vscode';
import type { TrainingLogReader } from '../../../../core/training/trainingLogReader';
import { formatNumber } from '../../../platform/quantityText';

/** Formats a log as lines of text, with times in UTC. */
export function formatLog(
  name: string,
  { lines, dropped }: Pick<TrainingLogReader, 'lines' | 'dropped'>,
): string {
  const texts = lines.map(({ at, level, message }) =>
    [at?.toISOString(), level, message]
      .filter((text) => text !== undefined && text !== '')
      .join(' '),
  );
  const cut =
    dropped > 0
      ? [vscode.l10n.t('{0} earlier lines are not shown.', formatNumber(dropped)), '']
      : [];
  return [name, '', ...cut, ...texts, ''].join('\n');
}
