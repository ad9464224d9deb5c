import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { Connection } from '../../../core/model/connection';
import type { ConnectionStore } from '../../../core/sessions/connectionStore';
import type { OpenTransport } from '../../../core/sessions/fleetSession';
import { settings } from '../../../manifest/settings';
import type { Commands } from '../../platform/commandRegistry';
import { setContextKey } from '../../platform/contextKeys';
import type { ErrorPresenter } from '../../platform/errorPresenter';
import type { Introduce } from '../../platform/introduce';
import { onDidChangeSetting } from '../../platform/settingsReader';
import type { SignIn } from './commands/signIn';
import { ConnectionStatusItem } from './connectionStatusItem';
import { CREDENTIALS_FILE_VARIABLE, signInFromFile } from './credentialsFile';
import { FleetAuthenticationProvider } from './fleetAuthenticationProvider';

// Loaded when one of its commands first runs.
const signIn = () => import('./commands/signIn');
const signOut = () => import('./commands/signOut');
const switchConnection = () => import('./commands/switchConnection');

/** Feature for signing in and out, with the Accounts menu and the status bar item. */
export class ConnectionsFeature extends Disposable {
  constructor(
    private readonly commands: Commands,
    private readonly store: ConnectionStore,
    private readonly open: OpenTransport,
    private readonly errors: ErrorPresenter,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly introduce: Introduce,
  ) {
    super();
    const runSignIn: SignIn['run'] = () =>
      introduce(async () => new (await signIn()).SignIn(store, open, environment).run());
    this.register(commands.register('fleetwright.connection.signIn', runSignIn));
    this.register(
      commands.register('fleetwright.connection.signOut', async () =>
        (await signOut()).signOut(store),
      ),
    );
    this.register(
      commands.register('fleetwright.connection.switch', async () =>
        (await switchConnection()).switchConnection(store, commands),
      ),
    );
    this.registerProvider(runSignIn);
    this.register(new ConnectionStatusItem(store));
    this.register(onDidChangeSetting(settings.certificateAuthorities, () => store.reopenAll()));
    this.subscribeToActive();
    this.start();
  }

  private registerProvider(runSignIn: SignIn['run']): void {
    const provider = this.register(new FleetAuthenticationProvider(this.store, runSignIn));
    this.register(
      vscode.authentication.registerAuthenticationProvider(
        FleetAuthenticationProvider.id,
        'Fleetwright',
        provider,
        { supportsMultipleAccounts: true },
      ),
    );
  }

  private subscribeToActive(): void {
    const update = (): void =>
      setContextKey('fleetwright.connected', this.store.active !== undefined);
    this.register(this.store.onDidChangeActive(update));
    update();
  }

  private start(): void {
    const present = (error: unknown): void => this.errors.present(error, () => this.start());
    this.introduce(() => this.signInFromEnvironment()).catch(present);
  }

  /** Sets `ready` last, so that no welcome view appears briefly while a sign-in is pending. */
  private async signInFromEnvironment(): Promise<Connection | undefined> {
    const path = this.environment[CREDENTIALS_FILE_VARIABLE];
    try {
      return path ? await signInFromFile(path, this.store, this.open) : undefined;
    } finally {
      setContextKey('fleetwright.ready', true);
    }
  }
}
