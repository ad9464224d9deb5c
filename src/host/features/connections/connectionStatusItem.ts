import * as vscode from 'vscode';
import { Disposable, DisposableSet } from '../../../base/disposable';
import { toDisplayText } from '../../../core/model/displayText';
import type { Connection } from '../../../core/model/connection';
import type { ConnectionStore } from '../../../core/sessions/connectionStore';
import type { SessionState } from '../../../core/api/connectionTransport';
import type { CommandId } from '../../../manifest/commands';
import { escapeIcons } from '../../platform/text/displayText';

const PRIORITY = 50;
const MAX_LABEL_LENGTH = 40;
const RECOVERY_MESSAGE_MS = 10_000;

/** Shows this window's active connection in the status bar, and whether its service responds. */
export class ConnectionStatusItem extends Disposable {
  private readonly item = this.register(
    vscode.window.createStatusBarItem(
      'fleetwright.connection',
      vscode.StatusBarAlignment.Left,
      PRIORITY,
    ),
  );
  private following = this.register(new DisposableSet());

  constructor(private readonly store: ConnectionStore) {
    super();
    this.item.name = vscode.l10n.t('Fleetwright Connection');
    this.item.command = 'fleetwright.connection.switch' satisfies CommandId;
    this.register(store.onDidChangeActive(() => this.subscribe()));
    this.subscribe();
    this.item.show();
  }

  private subscribe(): void {
    this.release(this.following);
    this.following = this.register(new DisposableSet());
    const { active } = this.store;
    if (!active) {
      this.show('$(debug-disconnect)', vscode.l10n.t('Not connected'), '');
      return;
    }
    const session = this.store.session(active.id);
    let before = session.state.kind;
    const update = (): void => {
      const { state } = session;
      const connection = this.store.connection(active.id);
      if (!connection) return;
      this.showState(connection, state);
      if (before === 'silent' && state.kind === 'connected') reportRecovery(connection);
      before = state.kind;
    };
    this.following.add(session.onDidChangeState(update));
    update();
  }

  private showState({ label, baseUrl, kind }: Connection, state: SessionState): void {
    const icon = kind === 'local' ? '$(vm)' : '$(cloud)';
    switch (state.kind) {
      case 'idle':
        this.show(icon, label, baseUrl);
        return;
      case 'connected':
        this.show(icon, label, vscode.l10n.t('Connected to {0}', baseUrl));
        return;
      case 'silent':
        this.show(
          '$(warning)',
          label,
          vscode.l10n.t(
            "The service at {0} isn't responding. Saves, queries, and other requests continue when it responds again.",
            baseUrl,
          ),
          vscode.l10n.t('{0}: not responding', toDisplayText(label, MAX_LABEL_LENGTH)),
        );
        this.item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
        return;
      case 'failing':
        this.show('$(warning)', label, state.error.message);
        this.item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    }
  }

  private show(
    icon: string,
    label: string,
    tooltip: string,
    text = toDisplayText(label, MAX_LABEL_LENGTH),
  ): void {
    // VS Code would render `$(` in a label as an icon.
    this.item.text = `${icon} ${escapeIcons(text)}`;
    this.item.tooltip = [label, tooltip].filter((part) => part !== '').join('\n');
    this.item.accessibilityInformation = {
      label: [vscode.l10n.t('Fleet connection'), label, tooltip].join(', '),
    };
    this.item.backgroundColor = undefined;
  }
}

function reportRecovery({ label }: Connection): void {
  const name = escapeIcons(toDisplayText(label, MAX_LABEL_LENGTH));
  const message = vscode.l10n.t('{0} is responding again.', name);
  vscode.window.setStatusBarMessage(`$(check) ${message}`, RECOVERY_MESSAGE_MS);
}
