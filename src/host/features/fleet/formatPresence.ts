import * as vscode from 'vscode';
import type { OnlineStatus } from '../../../core/model/entities';
import { type Presence, relativeTime } from '../../../core/model/presence';

/** Formats a machine's or part's reachability and last contact. */
export function formatPresence({ status, lastSeen }: Presence, now: Date): string {
  const ago = lastSeen && relativeTime(lastSeen, now, vscode.env.language);
  switch (status) {
    case 'online':
      return formatOnlineStatus(status);
    case 'awaitingSetup':
      return formatOnlineStatus(status);
    case 'offline':
      return ago ? vscode.l10n.t('offline · last seen {0}', ago) : formatOnlineStatus(status);
    case 'unknown':
      return ago ? vscode.l10n.t('last seen {0}', ago) : formatOnlineStatus(status);
  }
}

/** Returns a status's label. */
export function formatOnlineStatus(status: OnlineStatus): string {
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

/** Returns a status's label for the start of a line. */
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

/** Returns a status's description. */
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

/**
 * Returns a status's icon. Statuses differ in shape as well as color, and the description contains
 * the label.
 */
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
