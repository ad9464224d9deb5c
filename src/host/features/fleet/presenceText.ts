import * as vscode from 'vscode';
import type { OnlineStatus } from '../../../core/model/entities';
import type { Presence } from '../../../core/model/presence';
import { relativeTime } from '../../../core/model/relativeTime';

/** Whether a machine or part can be reached, and when it was last heard from. */
export function presenceText({ status, lastSeen }: Presence, now: Date): string {
  const ago = lastSeen && relativeTime(lastSeen, now, vscode.env.language);
  switch (status) {
    case 'online':
      return statusText(status);
    case 'awaitingSetup':
      return statusText(status);
    case 'offline':
      return ago ? vscode.l10n.t('offline · last seen {0}', ago) : statusText(status);
    case 'unknown':
      return ago ? vscode.l10n.t('last seen {0}', ago) : statusText(status);
  }
}

/** The word for a status. */
export function statusText(status: OnlineStatus): string {
  switch (status) {
    case 'online':
      return vscode.l10n.t('online');
    case 'awaitingSetup':
      return vscode.l10n.t('awaiting setup');
    case 'offline':
      return vscode.l10n.t('offline');
    case 'unknown':
      return vscode.l10n.t('unknown');
  }
}

/** The same at the beginning of a line. */
export function statusTitle(status: OnlineStatus): string {
  switch (status) {
    case 'online':
      return vscode.l10n.t('Online');
    case 'awaitingSetup':
      return vscode.l10n.t('Awaiting setup');
    case 'offline':
      return vscode.l10n.t('Offline');
    case 'unknown':
      return vscode.l10n.t('Unknown');
  }
}

/** What a status means. */
export function statusMeaning(status: OnlineStatus): string {
  switch (status) {
    case 'online':
      return vscode.l10n.t('It checked in recently.');
    case 'awaitingSetup':
      return vscode.l10n.t('It has never checked in. Save its credentials on the machine.');
    case 'offline':
      return vscode.l10n.t("It hasn't checked in for longer than usual.");
    case 'unknown':
      return vscode.l10n.t("The service hasn't reported its status for a while.");
  }
}

/** Shape tells the states apart as well as color does, and the description says them in words. */
export function statusIcon(status: OnlineStatus): vscode.ThemeIcon {
  switch (status) {
    case 'online':
      return new vscode.ThemeIcon('vm-active', new vscode.ThemeColor('charts.green'));
    case 'awaitingSetup':
      return new vscode.ThemeIcon('vm-connect');
    case 'offline':
      return new vscode.ThemeIcon('vm-outline');
    case 'unknown':
      return new vscode.ThemeIcon('vm');
  }
}
