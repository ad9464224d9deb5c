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
      this.show('$(debug-disconnect)', { label: vscode.l10n.t('Not connected') }, '');
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

  private showState(connection: Connection, state: SessionState): void {
    const { label, baseUrl, kind, readOnly } = connection;
    const icon = kind === 'local' ? '$(vm)' : '$(cloud)';
    const name = toDisplayText(label, MAX_LABEL_LENGTH);
    const text = readOnly ? vscode.l10n.t('{0}: read-only', name) : name;
    switch (state.kind) {
      case 'idle':
        this.show(icon, connection, baseUrl, text);
        return;
      case 'connected':
        this.show(icon, connection, vscode.l10n.t('Connected to {0}', baseUrl), text);
        return;
      case 'silent':
        this.show(
          '$(warning)',
          connection,
          vscode.l10n.t(
            "The service at {0} isn't responding. Saves, queries, and other requests continue when it responds again.",
            baseUrl,
          ),
          vscode.l10n.t('{0}: not responding', name),
        );
        this.item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
        return;
      case 'failing':
        this.show('$(warning)', connection, state.error.message, text);
        this.item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    }
  }

  private show(
    icon: string,
    { label, readOnly }: Pick<Connection, 'label' | 'readOnly'>,
    tooltip: string,
    text = toDisplayText(label, MAX_LABEL_LENGTH),
  ): void {
    const facts = [
      label,
      tooltip,
      readOnly ? vscode.l10n.t('Read-only. Changes are rejected on this computer.') : '',
    ].filter((fact) => fact !== '');
    // VS Code would render `$(` in a label as an icon.
    this.item.text = `${icon}${readOnly ? ' $(lock)' : ''} ${escapeIcons(text)}`;
    this.item.tooltip = facts.join('\n');
    this.item.accessibilityInformation = {
      label: [vscode.l10n.t('Fleet connection'), ...facts].join(', '),
    };
    this.item.backgroundColor = undefined;
  }
}

function reportRecovery({ label }: Connection): void {
  const name = escapeIcons(toDisplayText(label, MAX_LABEL_LENGTH));
  const message = vscode.l10n.t('{0} is responding again.', name);
  vscode.window.setStatusBarMessage(`$(check) ${message}`, RECOVERY_MESSAGE_MS);
}
