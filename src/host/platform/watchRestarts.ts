import * as vscode from 'vscode';
import { systemClock, systemSleep } from '../../base/clock';
import { displayName } from '../../core/model/toDisplayText';
import type { PartTarget } from '../../core/model/resourceTarget';
import { trackRestarts } from '../../core/restart/trackRestarts';
import type { RestartTrack } from '../../core/restart/restartTrack';
import { formatList } from './formatList';
import { trackProgress } from './progress';
import { describeRestartEnd, formatRestartStage } from './restartText';
import type { SessionProvider } from './sessionProvider';

export type PartRestart = RestartTrack<PartTarget>;

/**
 * Shows the progress of parts whose restart has just been requested. Stops when each part is back
 * online or has made no progress for too long. Closing the notification stops the tracking but not
 * the restart.
 * @param title description of the restarted resources.
 */
export function watchRestarts(
  sessions: Pick<SessionProvider, 'stores'>,
  title: string,
  parts: readonly PartTarget[],
): Promise<readonly PartRestart[]> {
  let shown = '';
  return trackProgress(title, (signal, report) =>
    trackRestarts(parts, {
      read: ({ connectionId, partId }) =>
        sessions.stores(connectionId).parts.readContact(partId, signal),
      clock: systemClock,
      sleep: systemSleep,
      signal,
      onPoll: (tracks) => {
        const text = formatProgress(tracks);
        if (text !== shown) report(text);
        shown = text;
      },
    }),
  );
}

/**
 * Reports the outcome of the restarts with one sentence for each part. Doesn't wait for a response.
 */
export function notifyRestarts(tracks: readonly PartRestart[]): void {
  const now = systemClock.now();
  const text = tracks
    .map((track) =>
      describeRestartEnd(displayName({ name: track.part.name, id: track.part.partId }), track, now),
    )
    .join(' ');
  const isWell = tracks.every(({ end }) => end === 'done' || end === 'stopped');
  // VS Code shows the full text of a long message only if it has a button.
  const close = vscode.l10n.t('Close');
  if (isWell) void vscode.window.showInformationMessage(text, close);
  else void vscode.window.showWarningMessage(text, close);
}

/** Reports the number of restarts that reached each stage. */
export function notifyManyRestarts(title: string, tracks: readonly PartRestart[]): void {
  const text = `${title}: ${formatStages(tracks)}.`;
  const isWell = tracks.every(({ end }) => end === 'done' || end === 'stopped');
  if (isWell) void vscode.window.showInformationMessage(text);
  else void vscode.window.showWarningMessage(text);
}

function formatProgress(tracks: readonly PartRestart[]): string {
  const [first] = tracks;
  return tracks.length === 1 && first ? formatRestartStage(first) : formatStages(tracks);
}

function formatStages(tracks: readonly PartRestart[]): string {
  const at = (...stages: readonly PartRestart['stage'][]): number =>
    tracks.filter(({ stage, end }) => end !== 'gone' && stages.includes(stage)).length;
  const counted = [
    [vscode.l10n.t('{0} back online', at('online')), at('online')],
    [vscode.l10n.t('{0} checked in after the restart request', at('called')), at('called')],
    [vscode.l10n.t('{0} restarting', at('told', 'started')), at('told', 'started')],
    [vscode.l10n.t('{0} waiting for the machine to check in', at('marked')), at('marked')],
  ] as const;
  return formatList(counted.flatMap(([text, count]) => (count > 0 ? [text] : [])));
}
