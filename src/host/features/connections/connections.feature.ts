import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { ConnectionStore } from '../../../core/sessions/connectionStore';
import type { OpenTransport } from '../../../core/sessions/fleetSession';
import { settings } from '../../../manifest/settings';
import type { Commands } from '../../platform/commandRegistry';
import { setContextKey } from '../../platform/contextKeys';
import type { ErrorPresenter } from '../../platform/errorPresenter';
import { onDidChangeSetting } from '../../platform/settingsReader';
import { SignIn } from './commands/signIn';
import { signOut } from './commands/signOut';
import { switchConnection } from './commands/switchConnection';
import { ConnectionStatusItem } from './connectionStatusItem';
import { CREDENTIALS_FILE_VARIABLE, signInFromFile } from './credentialsFile';
import { FleetAuthenticationProvider } from './fleetAuthenticationProvider';

/** Signing in and out, the Accounts menu, and the status bar. */
export class ConnectionsFeature extends Disposable {
  constructor(
    private readonly commands: Commands,
    private readonly store: ConnectionStore,
    private readonly open: OpenTransport,
    private readonly errors: ErrorPresenter,
    private readonly environment: NodeJS.ProcessEnv,
  ) {
    super();
    const signIn = new SignIn(store, open, environment);
    this.register(commands.register('fleetwright.connection.signIn', () => signIn.run()));
    this.register(commands.register('fleetwright.connection.signOut', () => signOut(store)));
    this.register(
      commands.register('fleetwright.connection.switch', () => switchConnection(store, commands)),
    );
    this.registerProvider(() => signIn.run());
    this.register(new ConnectionStatusItem(store));
    this.register(onDidChangeSetting(settings.certificateAuthorities, () => store.reopenAll()));
    this.followActive();
    void this.signInFromEnvironment();
  }

  private registerProvider(signIn: SignIn['run']): void {
    const provider = this.register(new FleetAuthenticationProvider(this.store, signIn));
    this.register(
      vscode.authentication.registerAuthenticationProvider(
        FleetAuthenticationProvider.id,
        'Fleetwright',
        provider,
        { supportsMultipleAccounts: true },
      ),
    );
  }

  private followActive(): void {
    const update = (): void =>
      setContextKey('fleetwright.connected', this.store.active !== undefined);
    this.register(this.store.onDidChangeActive(update));
    update();
  }

  /** `ready` comes last, so that no welcome view flashes before a connection that is on its way. */
  private async signInFromEnvironment(): Promise<void> {
    const path = this.environment[CREDENTIALS_FILE_VARIABLE];
    try {
      if (path) await signInFromFile(path, this.store, this.open);
    } catch (error) {
      this.errors.present(error, () => void this.signInFromEnvironment());
    } finally {
      setContextKey('fleetwright.ready', true);
    }
  }
}
