import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import type { Connection } from '../../../core/model/connection';
import type { ConnectionStore } from '../../../core/sessions/connectionStore';
import type { OpenTransport } from '../../../core/api/connectionTransport';
import { settings } from '../../../manifest/contributions';
import type { Commands } from '../../platform/commands/commandRegistry';
import { setContextKey } from '../../platform/commands/contextKeys';
import type { ErrorPresenter } from '../../platform/commands/errorPresenter';
import type { Introduce } from '../../platform/featureInterfaces';
import { onDidChangeSetting } from '../../platform/settingsReader';
import type { SignIn } from './connectionCommands';
import { ConnectionStatusItem } from './connectionStatusItem';
import { CREDENTIALS_FILE_VARIABLE, signInFromFile } from './credentialsFile';

// Loaded when one of its commands first runs.
const loadCommands = () => import('./connectionCommands');

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
      introduce(async () => new (await loadCommands()).SignIn(store, open, environment).run());
    this.register(commands.register('fleetwright.connection.signIn', runSignIn));
    this.register(
      commands.register('fleetwright.connection.signOut', async () =>
        (await loadCommands()).signOut(store),
      ),
    );
    this.register(
      commands.register('fleetwright.connection.switch', async () =>
        (await loadCommands()).switchConnection(store, commands),
      ),
    );
    this.register(
      commands.register('fleetwright.connection.makeReadOnly', async (id) =>
        (await loadCommands()).makeReadOnly(store, id),
      ),
    );
    this.register(
      commands.register('fleetwright.connection.allowChanges', async (id) =>
        (await loadCommands()).allowChanges(store, id),
      ),
    );
    this.registerProvider(runSignIn);
    this.register(new ConnectionStatusItem(store));
    this.register(onDidChangeSetting(settings.certificateAuthorities, () => store.reopenAll()));
    this.register(onDidChangeSetting(settings.readOnlyConnections, () => store.applySettings()));
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
    const update = (): void => {
      const { active } = this.store;
      setContextKey('fleetwright.connected', active !== undefined);
      setContextKey('fleetwright.readOnlyConnection', active?.readOnly !== undefined);
    };
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

type SessionsChange = vscode.AuthenticationProviderAuthenticationSessionsChangeEvent;

/** Provides one session in the Accounts menu for each connection. */
export class FleetAuthenticationProvider
  extends Disposable
  implements vscode.AuthenticationProvider
{
  static readonly id = 'fleetwright';
  private readonly changed = this.register(new vscode.EventEmitter<SessionsChange>());
  readonly onDidChangeSessions = this.changed.event;
  private known: readonly vscode.AuthenticationSession[];

  constructor(
    private readonly store: ConnectionStore,
    private readonly signIn: () => Promise<Connection>,
  ) {
    super();
    this.known = this.sessionsWithoutToken();
    this.register(store.onDidChangeConnections(() => this.announce()));
  }

  /**
   * Returns sessions for VS Code. For its Accounts menu, VS Code requests sessions without scopes.
   * This request needs no token and makes no call. Another extension, with the user's consent, gets
   * a bearer token but never the API key.
   */
  async getSessions(
    scopes: readonly string[] | undefined,
    options: vscode.AuthenticationProviderSessionOptions,
  ): Promise<vscode.AuthenticationSession[]> {
    const matching = this.store.connections.filter(
      ({ id }) => options.account === undefined || options.account.id === id,
    );
    if (scopes === undefined) return matching.map((connection) => toSession(connection, ''));
    // Other extensions request sessions at any time, which must not start the local fleet.
    const sessions = await Promise.allSettled(
      matching.map(async (connection) =>
        toSession(connection, await this.store.session(connection.id).getTokenNow()),
      ),
    );
    // An unreachable account doesn't hide the other accounts.
    const reached = sessions.filter((session) => session.status === 'fulfilled');
    const failed = sessions.find((session) => session.status === 'rejected');
    if (failed && reached.length === 0) throw failed.reason;
    return reached.map(({ value }) => value);
  }

  async createSession(): Promise<vscode.AuthenticationSession> {
    const connection = await this.signIn();
    return toSession(connection, await this.store.session(connection.id).getToken());
  }

  async removeSession(sessionId: string): Promise<void> {
    const connection = this.store.connections.find(({ id }) => id === sessionId);
    if (connection) await this.store.signOut(connection.id);
  }

  private sessionsWithoutToken(): readonly vscode.AuthenticationSession[] {
    return this.store.connections.map((connection) => toSession(connection, ''));
  }

  private announce(): void {
    const before = new Map(this.known.map((session) => [session.id, session]));
    this.known = this.sessionsWithoutToken();
    const after = new Set(this.known.map(({ id }) => id));
    this.changed.fire({
      added: this.known.filter(({ id }) => !before.has(id)),
      removed: [...before.values()].filter(({ id }) => !after.has(id)),
      changed: this.known.filter(({ id }) => before.has(id)),
    });
  }
}

function toSession({ id, label }: Connection, accessToken: string): vscode.AuthenticationSession {
  return { id, accessToken, account: { id, label }, scopes: [] };
}
