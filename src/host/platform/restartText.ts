import * as vscode from 'vscode';
import { relativeTime } from '../../core/model/relativeTime';
import type { RestartTrack } from '../../core/restart/restartTrack';

/** How far a restart has come, in a few words. */
export function restartStageText({ stage }: Pick<RestartTrack<unknown>, 'stage'>): string {
  switch (stage) {
    case 'marked':
      return vscode.l10n.t('marked, waits for the machine to call');
    case 'told':
      return vscode.l10n.t('seen by the machine, waits for it to restart');
    case 'started':
      return vscode.l10n.t('restarted, waits for its first call');
    case 'online':
      return vscode.l10n.t('back online');
    case 'called':
      return vscode.l10n.t('has called since it was marked');
  }
}

/** What became of a restart, as a sentence that says no more than is known. */
export function restartEndText(name: string, track: RestartTrack<unknown>, now: Date): string {
  switch (track.end) {
    case undefined:
    case 'done':
      return track.stage === 'called'
        ? vscode.l10n.t(
            '"{0}" has called since it was marked; this service does not tell whether it has restarted.',
            name,
          )
        : vscode.l10n.t('"{0}" has restarted and is back online.', name);
    case 'gone':
      return vscode.l10n.t('"{0}" was deleted before it restarted.', name);
    case 'stopped':
      return track.stage === 'marked'
        ? vscode.l10n.t('"{0}" is marked: it restarts when it next asks the service.', name)
        : vscode.l10n.t('"{0}" has heard that it is to restart.', name);
    case 'away':
    case 'late':
      return waitingText(name, track, now);
  }
}

function waitingText(
  name: string,
  { stage, contact, end }: RestartTrack<unknown>,
  now: Date,
): string {
  if (contact === undefined) {
    return vscode.l10n.t(
      '"{0}" is marked, but the service does not tell what became of it. It restarts when it next asks.',
      name,
    );
  }
  const { lastAccess } = contact;
  if (lastAccess === undefined) {
    return vscode.l10n.t('"{0}" has never called the service; it restarts when it does.', name);
  }
  const ago = relativeTime(lastAccess, now, vscode.env.language);
  if (stage !== 'marked') {
    return vscode.l10n.t(
      '"{0}" heard that it is to restart, and was last seen {1}. See its logs, or look at the machine itself.',
      name,
      ago,
    );
  }
  return end === 'late' && contact.status === 'online'
    ? vscode.l10n.t(
        '"{0}" was last seen {1}, but has not asked whether it is to restart. It restarts when it asks.',
        name,
        ago,
      )
    : vscode.l10n.t('"{0}" was last seen {1}; it restarts when it next calls.', name, ago);
}
