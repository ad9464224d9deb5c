import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { settings } from '../../../manifest/contributions';
import type { Commands } from '../../platform/commands/commandRegistry';
import { setContextKey } from '../../platform/commands/contextKeys';
import type { Introduce } from '../../platform/featureInterfaces';
import { onDidChangeSetting } from '../../platform/settingsReader';
import type { LocalFleet } from './localFleet';
import { getLogFile } from './serviceProcess';

const scripts = () => import('./allowScripts');

/** Commands for the fleet service on this computer. */
export class LocalFleetFeature extends Disposable {
  /**
   * True while the permission prompt is open. In this case, no restart is offered, because the
   * fleet restarts after the prompt.
   */
  private isAllowing = false;

  constructor(
    private readonly commands: Commands,
    private readonly localFleet: LocalFleet,
    private readonly dataDirectory: string,
    presentError: (error: unknown) => void,
    private readonly introduce: Introduce,
  ) {
    super();
    this.register(commands.register('fleetwright.localFleet.start', () => this.start()));
    this.register(commands.register('fleetwright.localFleet.stop', () => localFleet.stop()));
    this.register(commands.register('fleetwright.localFleet.allowScripts', () => this.allow()));
    this.register(commands.register('fleetwright.localFleet.showLog', () => this.showLog()));
    this.register(
      onDidChangeSetting(settings.localFleetScripts, () => {
        this.offerRestartForScripts().catch(presentError);
      }),
    );
    this.register(
      localFleet.onDidChange(({ state, unexpected }) => {
        setContextKey('fleetwright.localFleetRunning', state === 'running');
        if (unexpected) this.offerRestart().catch(presentError);
      }),
    );
  }

  private async start(): Promise<void> {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Starting the local fleet…'),
    };
    await this.introduce(async () =>
      vscode.window.withProgress(options, () => this.localFleet.start()),
    );
  }

  private async showLog(): Promise<void> {
    const file = getLogFile(this.dataDirectory);
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

  private async allow(): Promise<void> {
    this.isAllowing = true;
    try {
      await (await scripts()).allowScripts(this.localFleet);
    } finally {
      this.isAllowing = false;
    }
  }

  /** All windows receive the change event, but only the window that made the change prompts. */
  private async offerRestartForScripts(): Promise<void> {
    if (this.isAllowing || !vscode.window.state.focused) return;
    if (this.localFleet.state !== 'running') return;
    await (await scripts()).offerRestartForScripts(this.localFleet);
  }

  private async offerRestart(): Promise<void> {
    const again = vscode.l10n.t('Start Over');
    const log = vscode.l10n.t('View Log');
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t('The local fleet has stopped.'),
      again,
      log,
    );
    if (chosen === again) await this.commands.execute('fleetwright.localFleet.start');
    if (chosen === log) await this.commands.execute('fleetwright.localFleet.showLog');
  }
}
