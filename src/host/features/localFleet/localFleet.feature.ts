import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { Commands } from '../../platform/commandRegistry';
import { setContextKey } from '../../platform/contextKeys';
import { logFileOf } from './launchService';
import type { LocalFleet } from './localFleet';

/** The commands around the fleet service on this machine. */
export class LocalFleetFeature extends Disposable {
  constructor(
    private readonly commands: Commands,
    private readonly localFleet: LocalFleet,
    private readonly dataDirectory: string,
  ) {
    super();
    this.register(commands.register('fleetwright.localFleet.start', () => this.start()));
    this.register(commands.register('fleetwright.localFleet.stop', () => localFleet.stop()));
    this.register(commands.register('fleetwright.localFleet.showLog', () => this.showLog()));
    this.register(
      localFleet.onDidChange(({ state, unexpected }) => {
        setContextKey('fleetwright.localFleetRunning', state === 'running');
        if (unexpected) void this.offerRestart();
      }),
    );
  }

  private async start(): Promise<void> {
    await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Starting the local fleet…'),
      },
      () => this.localFleet.start(),
    );
  }

  private async showLog(): Promise<void> {
    const file = logFileOf(this.dataDirectory);
    if (!existsSync(file)) {
      await vscode.window.showInformationMessage(
        vscode.l10n.t('The local fleet has not been started yet, so it has no log.'),
      );
      return;
    }
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    const end = document.lineAt(document.lineCount - 1).range.end;
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(end, end) });
  }

  private async offerRestart(): Promise<void> {
    const again = vscode.l10n.t('Start Again');
    const log = vscode.l10n.t('Show Log');
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t('The local fleet has stopped.'),
      again,
      log,
    );
    if (chosen === again) await this.commands.execute('fleetwright.localFleet.start');
    if (chosen === log) await this.commands.execute('fleetwright.localFleet.showLog');
  }
}
