import * as vscode from 'vscode';
import { systemClock, systemSleep } from '../../../base/clock';
import { displayName } from '../../../core/model/displayText';
import type { PartTarget } from '../../../core/model/resourceTarget';
import { type RestartTrack, trackRestarts } from '../../../core/stores/restartTrack';
import { formatList } from '../text/displayText';
import { trackProgress } from './progress';
import type { SessionProvider } from '../sessionProvider';
import { relativeTime } from '../../../core/model/presence';

export type PartRestart = RestartTrack<PartTarget>;

/**
 * Shows progress for parts whose restart has just been requested. Stops when each part is back
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

/** Formats a restart's stage. */
function formatRestartStage({ stage }: Pick<RestartTrack<unknown>, 'stage'>): string {
  switch (stage) {
    case 'marked':
      return vscode.l10n.t('restart requested, waiting for the machine to check in');
    case 'told':
      return vscode.l10n.t('restart request received, waiting for the machine to restart');
    case 'started':
      return vscode.l10n.t('restarted, waiting for the machine to reconnect');
    case 'online':
      return vscode.l10n.t('back online');
    case 'called':
      return vscode.l10n.t('has checked in since the restart was requested');
  }
}

/** Formats a restart's outcome as a sentence. The sentence states only known facts. */
function describeRestartEnd(name: string, track: RestartTrack<unknown>, now: Date): string {
  switch (track.end) {
    case undefined:
    case 'done':
      return track.stage === 'called'
        ? vscode.l10n.t(
            '"{0}" has checked in since the restart was requested. This service doesn\'t report whether it restarted.',
            name,
          )
        : vscode.l10n.t('"{0}" has restarted and is back online.', name);
    case 'gone':
      return vscode.l10n.t('"{0}" was deleted before it restarted.', name);
    case 'stopped':
      return track.stage === 'marked'
        ? vscode.l10n.t('"{0}" will restart the next time it checks in.', name)
        : vscode.l10n.t('"{0}" received the restart request.', name);
    case 'away':
    case 'late':
      return describeWaiting(name, track, now);
  }
}

function describeWaiting(
  name: string,
  { stage, contact, end }: RestartTrack<unknown>,
  now: Date,
): string {
  if (contact === undefined) {
    return vscode.l10n.t(
      'Requested a restart of "{0}". This service doesn\'t report restart progress.',
      name,
    );
  }
  const { lastAccess } = contact;
  if (lastAccess === undefined) {
    return vscode.l10n.t('"{0}" has never checked in. It restarts the first time it does.', name);
  }
  const ago = relativeTime(lastAccess, now, vscode.env.language);
  if (stage !== 'marked') {
    return vscode.l10n.t(
      '"{0}" received the restart request but is not back online (last seen {1}). Check its logs or the machine itself.',
      name,
      ago,
    );
  }
  return end === 'late' && contact.status === 'online'
    ? vscode.l10n.t(
        '"{0}" was last seen {1}, but hasn\'t checked for a restart request since. It will restart the next time it checks.',
        name,
        ago,
      )
    : vscode.l10n.t(
        '"{0}" was last seen {1}. It will restart the next time it checks in.',
        name,
        ago,
      );
}
