import * as vscode from 'vscode';
import type { TrainingLogFollower } from '../../../../core/training/trainingLogFollower';
import { numberText } from '../../../platform/quantityText';

/** Formats a log as lines of text, with times in UTC. */
export function logText(
  name: string,
  { lines, dropped }: Pick<TrainingLogFollower, 'lines' | 'dropped'>,
): string {
  const texts = lines.map(({ at, level, message }) =>
    [at?.toISOString(), level, message]
      .filter((text) => text !== undefined && text !== '')
      .join(' '),
  );
  const cut =
    dropped > 0 ? [vscode.l10n.t('{0} earlier lines are not shown.', numberText(dropped)), ''] : [];
  return [name, '', ...cut, ...texts, ''].join('\n');
}
