import * as vscode from 'vscode';
import { relativeTime } from '../../core/model/relativeTime';
import type { RestartTrack } from '../../core/restart/restartTrack';

/** Formats the stage of a restart. */
export function formatRestartStage({ stage }: Pick<RestartTrack<unknown>, 'stage'>): string {
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

/** Formats the outcome of a restart as a sentence. The sentence states only known facts. */
export function describeRestartEnd(name: string, track: RestartTrack<unknown>, now: Date): string {
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
