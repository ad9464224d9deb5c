import * as vscode from 'vscode';
import type { LogGap } from '../../../core/logs/logItem';
import { MICROS_PER_MILLISECOND } from '../../../core/model/micros';
import { formatNames } from '../../platform/formatList';
import { formatElapsed, formatNumber } from '../../platform/quantityText';

/**
 * Minimum duration to display. Shorter durations are meaningless, for example when a part was
 * deleted.
 */
const MIN_SHOWN_MS = 100;

/**
 * Describes the cause and duration of a gap in the log. The row already shows the time.
 * @param labels labels of the affected parts; empty if the gap affects all parts.
 */
export function formatGap(gap: LogGap, labels: readonly string[]): string {
  const description = describeGap(gap);
  return labels.length === 0
    ? description
    : vscode.l10n.t('{0}: {1}', formatNames(labels), description);
}

function describeGap(gap: LogGap): string {
  const { endMicros } = gap;
  if (endMicros === undefined) {
    return vscode.l10n.t('Connection lost. Missed log lines load when the connection is restored.');
  }
  const milliseconds = (endMicros - gap.micros) / MICROS_PER_MILLISECOND;
  const time = formatElapsed(milliseconds);
  if (gap.reason === 'notLoaded') return describeUnloaded(gap, time);
  const cause =
    milliseconds < MIN_SHOWN_MS && gap.reason === 'break'
      ? vscode.l10n.t('Connection lost.')
      : describeCause(gap, time);
  return `${cause} ${describeOutcome(gap)}`;
}

function describeUnloaded({ state }: LogGap, time: string): string {
  switch (state) {
    case 'loading':
      return vscode.l10n.t('Loading the lines for the next {0}…', time);
    case 'failed':
      return vscode.l10n.t("Couldn't load the lines for the next {0}.", time);
    default:
      return vscode.l10n.t('The lines for the next {0} are not loaded.', time);
  }
}

function describeCause({ reason }: LogGap, time: string): string {
  return reason === 'missed'
    ? vscode.l10n.t('{0} of log lines are missing because they arrived too fast.', time)
    : vscode.l10n.t('Connection lost for {0}.', time);
}

function describeOutcome({ state, loaded }: LogGap): string {
  switch (state) {
    case 'loading':
      return vscode.l10n.t('Loading lines that were logged in the meantime…');
    case 'filled':
      return formatLoadedCount(loaded);
    case 'open':
      return vscode.l10n.t('{0} lines have been loaded, and there are more.', formatNumber(loaded));
    case 'failed':
      return vscode.l10n.t("Couldn't load the lines that were logged in the meantime.");
  }
}

function formatLoadedCount(loaded: number): string {
  if (loaded === 0) return vscode.l10n.t('No lines were logged in the meantime.');
  return loaded === 1
    ? vscode.l10n.t('1 missed line was loaded.')
    : vscode.l10n.t('{0} missed lines were loaded.', formatNumber(loaded));
}
