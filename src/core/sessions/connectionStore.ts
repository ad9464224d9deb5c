import { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { englishLocalizer, type Localizer } from '../../base/localizer';
import {
  type ApiKey,
  type Connection,
  type ConnectionKind,
  type Credentials,
  toConnectionId,
} from '../model/connection';
import type { OpenTransport, ReadConnectionKey, WhenReady } from '../api/connectionTransport';
import { FleetError } from '../api/errors';
import { type ApiKeyId, type ConnectionId, connectionId, type OrganizationId } from '../model/ids';
import type { KeyValue, Logger, Secrets } from '../ports';
import type { FleetStores } from '../stores/fleetStores';
import {
  ConnectionKeys,
  type ConnectionRecord,
  formatConnection,
  parseConnection,
} from './connectionKeys';
import { FleetSession } from './fleetSession';

const ACTIVE_KEY = 'activeConnection';
const LAST_ACTIVE_KEY = 'lastActiveConnection';
/**
 * Value stored in a workspace in which the user has explicitly signed out, so that the workspace
 * doesn't sign in automatically.
 */
const NO_CONNECTION = '';

export interface ConnectionStoreOptions {
  readonly secrets: Secrets;
  /** Storage that all windows share. */
  readonly global: KeyValue;
  /** Storage of this workspace. */
  readonly workspace: KeyValue;
  readonly open: OpenTransport;
  readonly whenReady?: WhenReady | undefined;
  /**
   * Returns true if settings require that a connection is read-only. Call `applySettings` when the
   * settings change.
   */
  readonly isReadOnlyRequired?: (connection: Connection) => boolean;
  /** Translates error messages. */
  readonly l10n?: Localizer;
  readonly logger: Logger;
}

export interface SignInRequest extends Credentials {
  readonly label: string;
  readonly kind: ConnectionKind;
  /** True for a read-only connection; undefined to preserve the state of a known connection. */
  readonly readOnly?: boolean;
}

/** API key with its new secret. */
export interface RotatedKey {
  readonly key: ApiKey;
  /**
   * Error that prevented the new key from being stored for the connection that uses it; undefined
   * if there was none.
   */
  readonly notStored: unknown;
}

/**
 * This user's connections, the active connection in this window, and their sessions. The list of
 * connections is in plain storage so that it is available immediately. Secret storage contains one
 * record per connection, with the API key and the connection data, so that windows stay in sync and
 * never overwrite each other's records.
 */
export class ConnectionStore extends Disposable {
  /** Connections as they are stored. */
  private readonly stored = new Map<ConnectionId, Connection>();
  /** Connections with the restrictions of settings. */
  private readonly byId = new Map<ConnectionId, Connection>();
  private readonly sessions = new Map<ConnectionId, FleetSession>();
  private readonly keys: ConnectionKeys;
  private readonly l10n: Localizer;
  private activeId: ConnectionId | undefined;
  private readonly activeChanged = this.register(new Emitter<Connection | undefined>());
  private readonly connectionsChanged = this.register(new Emitter<void>());
  private readonly recovered = this.register(new Emitter<ConnectionId>());
  readonly onDidChangeActive = this.activeChanged.event;
  readonly onDidChangeConnections = this.connectionsChanged.event;
  readonly onDidRecover = this.recovered.event;
  private readonly silenceChanged = this.register(new Emitter<ConnectionId>());
  readonly onDidChangeSilence = this.silenceChanged.event;
  private readonly moved = this.register(new Emitter<ConnectionId>());
  readonly onDidMove = this.moved.event;

  constructor(private readonly options: ConnectionStoreOptions) {
    super();
    this.keys = new ConnectionKeys(options.secrets);
    this.l10n = options.l10n ?? englishLocalizer;
    this.readStored();
    this.register(
      options.secrets.onDidChange((name) => {
        const id = ConnectionKeys.parseEntryName(name);
        if (id) void this.applyChange(id);
      }),
    );
  }

  get connections(): readonly Connection[] {
    return [...this.byId.values()].sort((a, b) => a.label.localeCompare(b.label));
  }

  get active(): Connection | undefined {
    return this.activeId && this.byId.get(this.activeId);
  }

  /** True if any connection is read-only. */
  get hasReadOnly(): boolean {
    return [...this.byId.values()].some(({ readOnly }) => readOnly);
  }

  connection(id: ConnectionId): Connection | undefined {
    return this.byId.get(id);
  }

  /** Returns a connection's session. Throws `unauthenticated` if it is signed out. */
  session(id: ConnectionId): FleetSession {
    this.known(id);
    return this.lastingSession(id);
  }

  isSilent(id: ConnectionId): boolean {
    return this.sessions.get(id)?.state.kind === 'silent';
  }

  stores(id: ConnectionId): FleetStores {
    return this.session(id).stores;
  }

  /**
   * Returns a connection's API key, for a process that this window starts or to keep the key out of
   * texts.
   * @throws FleetError `unauthenticated` if the connection is signed out.
   */
  async readKey(id: ConnectionId): Promise<ApiKey> {
    const { baseUrl } = this.known(id);
    return this.requireKey(id, baseUrl, await this.keys.readNow(id));
  }

  /** Returns a connection's stores, even if it is signed out or unknown in this window. */
  lastingStores(id: ConnectionId): FleetStores {
    return this.lastingSession(id).stores;
  }

  /** Saves a connection with a verified API key and makes it active. */
  async signIn(request: SignInRequest): Promise<Connection> {
    const connection = await this.remember(request);
    await this.activate(connection.id);
    return connection;
  }

  /**
   * Saves a connection with a verified API key without changing this window's active connection.
   */
  async remember(request: SignInRequest): Promise<Connection> {
    const { label, baseUrl, keyId, key, kind } = request;
    const id = toConnectionId(keyId);
    const known = this.stored.get(id);
    const { readOnly = known?.readOnly !== undefined } = request;
    const connection = withReadOnly({ id, label, baseUrl, keyId, kind }, readOnly);
    await this.keys.store({ connection, key });
    await this.saveConnection(connection);
    // The API key might be a new one for the same URL, so the old token must not be reused.
    if (known?.baseUrl === baseUrl) this.sessions.get(id)?.reopen();
    return this.known(id);
  }

  /**
   * Makes a connection read-only, or allows changes again unless settings require that it is
   * read-only. Applies to all windows. Calls in progress aren't affected.
   */
  async setReadOnly(id: ConnectionId, readOnly: boolean): Promise<void> {
    const record = await this.keys.read(id);
    const current = record?.connection ?? this.known(id);
    const { secret: key } = this.requireKey(id, current.baseUrl, record);
    const connection = withReadOnly(current, readOnly);
    await this.keys.store({ connection, key });
    await this.saveConnection(connection);
  }

  /** Applies changed settings to all connections. */
  applySettings(): void {
    for (const [id, connection] of this.stored) {
      const restricted = this.restrict(connection);
      if (this.byId.get(id)?.readOnly === restricted.readOnly) continue;
      this.byId.set(id, restricted);
      this.sessions.get(id)?.use(restricted);
      this.notifyChanged(restricted);
    }
  }

  /** Removes a connection and its API key. Its documents then report that the user must sign in. */
  async signOut(id: ConnectionId): Promise<void> {
    await this.keys.delete(id);
    await this.removeEntry(id);
  }

  /**
   * Returns the connection that uses an API key on the same service as the connection `by`. This
   * can be `by` itself.
   */
  connectionWithKey(by: ConnectionId, key: ApiKeyId): Connection | undefined {
    const connection = this.byId.get(toConnectionId(key));
    const isSame = connection?.keyId.toLowerCase() === key.toLowerCase();
    return isSame && connection.baseUrl === this.known(by).baseUrl ? connection : undefined;
  }

  /**
   * Rotates an API key. A connection that uses this key continues to work in all windows, because
   * calls that need the key during the rotation wait for the new key. Throws errors from the
   * service.
   * @param by the connection that requests the rotation.
   */
  async rotateKey(by: ConnectionId, at: OrganizationId, id: ApiKeyId): Promise<RotatedKey> {
    const user = this.connectionWithKey(by, id);
    if (!user) return { key: await this.stores(by).apiKeys.rotate(at, id), notStored: undefined };
    return this.keys.change(user.id, async () => {
      const key = await this.apart(by, ({ apiKeys }) => apiKeys.rotate(at, id));
      try {
        // If the user has signed out in the meantime, storing the key would sign in again.
        this.known(user.id);
        const connection = this.stored.get(user.id) ?? user;
        await this.keys.store({ connection, key: key.secret });
      } catch (cause) {
        return { key, notStored: cause };
      }
      this.sessions.get(user.id)?.renew();
      return { key, notStored: undefined };
    });
  }

  /**
   * Deletes an API key and signs out of the connection that uses it. Throws the same errors as
   * `rotateKey`.
   */
  async deleteKey(by: ConnectionId, at: OrganizationId, id: ApiKeyId): Promise<void> {
    const user = this.connectionWithKey(by, id);
    if (user?.id !== by) await this.stores(by).apiKeys.delete(at, id);
    // The connection's own stores would make all views reload with the deleted key, so a separate
    // session is used.
    else await this.apart(by, ({ apiKeys }) => apiKeys.delete(at, id));
    if (user) await this.signOut(user.id);
  }

  /** Makes a connection active in this window. */
  async activate(id: ConnectionId): Promise<void> {
    // Before the updates, so that other extensions don't see an account that isn't active yet.
    this.setActive(id);
    await this.options.workspace.update(ACTIVE_KEY, id);
    await this.options.global.update(LAST_ACTIVE_KEY, id);
  }

  /** Reopens all sessions. Call this after the trusted certificates have changed. */
  reopenAll(): void {
    for (const session of this.sessions.values()) session.reopen();
  }

  private readStored(): void {
    const { global, workspace } = this.options;
    for (const key of global.keys().filter((name) => ConnectionKeys.parseEntryName(name))) {
      const connection = parseConnection(global.get(key));
      if (connection) this.stored.set(connection.id, connection);
      else this.options.logger.warn("A stored connection can't be read", { key });
    }
    for (const [id, connection] of this.stored) this.byId.set(id, this.restrict(connection));
    const chosen = workspace.get(ACTIVE_KEY) ?? global.get(LAST_ACTIVE_KEY);
    if (typeof chosen === 'string' && this.byId.has(connectionId(chosen))) {
      this.activeId = connectionId(chosen);
    }
  }

  /**
   * Returns a connection's session, which is the same until the window is closed. Creates it on
   * first use.
   */
  private lastingSession(id: ConnectionId): FleetSession {
    const existing = this.sessions.get(id);
    if (existing) return existing;
    const { open, whenReady, l10n } = this.options;
    const read: ReadConnectionKey = async ({ baseUrl }) =>
      this.requireKey(id, baseUrl, await this.keys.read(id));
    let checked: Promise<void> | undefined;
    const checkAndWait: WhenReady = async (connection) => {
      // Another window can have made the connection read-only, and have crashed before it could store
      // the list of connections.
      await (checked ??= this.keys.read(id).then(
        (record) => {
          const known = this.stored.get(id);
          if (!known || !record?.connection.readOnly) return undefined;
          return this.saveConnection(withReadOnly(known, true));
        },
        () => undefined,
      ));
      await whenReady?.(connection);
    };
    const session = new FleetSession(this.byId.get(id), open, read, checkAndWait, l10n);
    this.sessions.set(id, this.register(session));
    session.stores.onDidMove(() => this.moved.fire(id));
    session.onDidRecover(() => this.recovered.fire(id));
    session.onDidChangeSilence(() => this.silenceChanged.fire(id));
    return session;
  }

  private known(id: ConnectionId): Connection {
    const connection = this.byId.get(id);
    if (connection) return connection;
    throw new FleetError(
      'unauthenticated',
      this.l10n.t("You are not signed in to this item's connection. Sign in first."),
      { action: 'signIn' },
    );
  }

  /**
   * Runs `work` in a separate session, which can use the current key even while other sessions wait
   * for a new key.
   */
  private async apart<T>(id: ConnectionId, work: (stores: FleetStores) => Promise<T>): Promise<T> {
    const { open, whenReady, l10n } = this.options;
    const read: ReadConnectionKey = async ({ baseUrl }) =>
      this.requireKey(id, baseUrl, await this.keys.readNow(id));
    const session = new FleetSession(this.known(id), open, read, whenReady, l10n);
    try {
      return await work(session.stores);
    } finally {
      session.dispose();
    }
  }

  private requireKey(
    id: ConnectionId,
    baseUrl: string,
    record: ConnectionRecord | undefined,
  ): ApiKey {
    if (!record) {
      const label = this.byId.get(id)?.label ?? id;
      throw new FleetError(
        'unauthenticated',
        this.l10n.t(
          'The API key of "{0}" is no longer in the secret storage. Sign in again.',
          label,
        ),
        { action: 'signIn' },
      );
    }
    if (record.connection.baseUrl !== baseUrl) {
      // Another window has just signed in to another URL. The key must not be sent to this URL.
      throw new FleetError(
        'unavailable',
        this.l10n.t(
          'The URL of the connection "{0}" has changed. Try again.',
          record.connection.label,
        ),
        { action: 'retry' },
      );
    }
    return { id: record.connection.keyId, secret: record.key };
  }

  /** Handles a sign-in or sign-out in this window or another window. */
  private async applyChange(id: ConnectionId): Promise<void> {
    const { record, isOther } = await this.keys.readChange(id);
    if (!record) return this.removeEntry(id);
    await this.saveConnection(record.connection);
    // Another window has rotated the key or signed in with a different key.
    if (isOther) this.sessions.get(id)?.renew();
  }

  private async saveConnection(connection: Connection): Promise<void> {
    const known = this.stored.get(connection.id);
    if (known && JSON.stringify(known) === JSON.stringify(connection)) return;
    this.stored.set(connection.id, connection);
    const restricted = this.restrict(connection);
    this.byId.set(connection.id, restricted);
    this.sessions.get(connection.id)?.use(restricted);
    await this.options.global.update(
      ConnectionKeys.toEntryName(connection.id),
      formatConnection(connection),
    );
    this.notifyChanged(restricted);
  }

  /** Adds the restrictions of settings to a stored connection. */
  private restrict(connection: Connection): Connection {
    const isRequired = this.options.isReadOnlyRequired?.(connection) ?? false;
    return isRequired ? { ...connection, readOnly: 'required' } : connection;
  }

  private notifyChanged(connection: Connection): void {
    this.connectionsChanged.fire();
    if (this.activeId === connection.id) this.activeChanged.fire(connection);
  }

  private async removeEntry(id: ConnectionId): Promise<void> {
    if (!this.byId.delete(id)) return;
    this.stored.delete(id);
    this.sessions.get(id)?.signOut();
    await this.options.global.update(ConnectionKeys.toEntryName(id), undefined);
    this.connectionsChanged.fire();
    if (this.activeId !== id) return;
    await this.options.workspace.update(ACTIVE_KEY, NO_CONNECTION);
    this.setActive(undefined);
  }

  private setActive(id: ConnectionId | undefined): void {
    if (this.activeId === id) return;
    this.activeId = id;
    this.activeChanged.fire(this.active);
  }
}

function withReadOnly(connection: Connection, readOnly: boolean): Connection {
  const { id, label, baseUrl, keyId, kind } = connection;
  return { id, label, baseUrl, keyId, kind, ...(readOnly && { readOnly: 'chosen' }) };
}
