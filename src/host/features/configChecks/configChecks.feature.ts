import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { Commands } from '../../platform/commands/commandRegistry';
import type { SessionProvider } from '../../platform/sessionProvider';
import { parseDocumentAddress } from '../../platform/documents/documentUris';

/** Checks of configs while they are edited. They are loaded with the first config. */
export class ConfigChecksFeature extends Disposable {
  private isStarted = false;

  constructor(
    commands: Commands,
    private readonly sessions: SessionProvider,
  ) {
    super();
    this.register(
      commands.register('fleetwright.config.updateVersion', async (change) =>
        (await import('./updateVersion')).updateVersion(change),
      ),
    );
    const { workspace } = vscode;
    this.register(workspace.onDidOpenTextDocument((document) => this.start(document)));
    for (const document of workspace.textDocuments) this.start(document);
  }

  private start({ uri }: vscode.TextDocument): void {
    if (this.isStarted || !parseDocumentAddress(uri)) return;
    this.isStarted = true;
    void import('./configChecks').then(({ ConfigChecks }) => {
      if (!this.isDisposed) this.register(new ConfigChecks(this.sessions));
    });
  }
}
