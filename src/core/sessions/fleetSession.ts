import { Disposable } from '../../base/disposable';
import { englishLocalizer } from '../../base/localizer';
import { type Connection, type Credentials, toConnectionId } from '../model/connection';
import {
  ConnectionTransport,
  type OpenTransport,
  type ReadConnectionKey,
  type SessionState,
  type WhenReady,
} from '../api/connectionTransport';
import { clientsOver } from '../api/fleetClients';
import { FleetStores } from '../stores/fleetStores';
import type { Organization } from '../model/entities';

/**
 * Session for a connection: its transport and stores, which stay the same when the user signs out
 * and in again. While the user is signed out, the stores are empty and reject all calls.
 */
export class FleetSession extends Disposable {
  readonly stores: FleetStores;
  private readonly transport: ConnectionTransport;
  readonly onDidChangeState: ConnectionTransport['onDidChangeState'];
  /** Fires when a call succeeds after the connection has failed. */
  readonly onDidRecover: ConnectionTransport['onDidRecover'];
  /** Fires when the service stops responding or responds again. */
  readonly onDidChangeSilence: ConnectionTransport['onDidChangeSilence'];

  /** @param connection undefined if the user isn't signed in yet. */
  constructor(
    connection: Connection | undefined,
    open: OpenTransport,
    readKey: ReadConnectionKey,
    whenReady?: WhenReady,
    l10n = englishLocalizer,
  ) {
    super();
    const transport = new ConnectionTransport(connection, open, readKey, whenReady, l10n);
    this.transport = this.register(transport);
    this.stores = this.register(
      new FleetStores(clientsOver(transport, l10n), () => transport.contentReader(), l10n),
    );
    if (connection) this.stores.access.use(connection);
    this.onDidChangeState = transport.onDidChangeState;
    this.onDidRecover = transport.onDidRecover;
    this.onDidChangeSilence = transport.onDidChangeSilence;
  }

  get state(): SessionState {
    return this.transport.state;
  }

  /**
   * Returns the bearer token for requests other than calls. Like a call, starts the local fleet if
   * necessary, and throws the same `FleetError`s.
   */
  getToken(): Promise<string> {
    return this.transport.getToken();
  }

  /** Returns the bearer token without waiting until the service is ready. */
  getTokenNow(): Promise<string> {
    return this.transport.getTokenNow();
  }

  /**
   * Signs in, or applies changes to the connection. If its URL is different, clears and reloads
   * everything.
   */
  use(connection: Connection): void {
    const { isSignedIn } = this.transport;
    const moved = this.transport.use(connection);
    this.stores.access.use(connection);
    // The local fleet's port can change with each start, but its data stays the same.
    const isOtherService = moved && connection.kind !== 'local';
    if (isOtherService) this.stores.move();
    else if (!isSignedIn) this.stores.signIn();
    else if (moved) this.stores.refresh();
  }

  /** Closes the connection and clears the stores. Until `use`, all calls are rejected. */
  signOut(): void {
    if (!this.transport.isSignedIn) return;
    this.transport.signOut();
    this.stores.signOut();
  }

  /** Reconnects with a new token and reloads everything. */
  reopen(): void {
    if (!this.transport.isSignedIn) return;
    this.transport.reopen();
    this.stores.refresh();
  }

  /**
   * Switches to a different API key without closing the connection. Reloads data if the connection
   * failed because of the old key.
   */
  renew(): void {
    if (this.transport.renewKey()) this.stores.refresh();
  }
}

/**
 * Verifies a URL and an API key before anything is stored: authenticates and lists the
 * organizations. Throws a `FleetError` that identifies the cause: URL, certificate, protocol, or
 * key.
 */
export async function verifyCredentials(
  { baseUrl, keyId, key }: Credentials,
  open: OpenTransport,
  signal?: AbortSignal,
): Promise<readonly Organization[]> {
  const connection = {
    id: toConnectionId(keyId),
    label: '',
    baseUrl,
    keyId,
    kind: 'cloud',
  } as const;
  const session = new FleetSession(connection, open, () =>
    Promise.resolve({ id: keyId, secret: key }),
  );
  try {
    return await session.stores.organizations.list({ signal });
  } finally {
    session.dispose();
  }
}

/**
 * Formats a label such as `Acme Robotics · fleet.example.com`, including the number of additional
 * organizations.
 */
export function connectionLabel(baseUrl: string, organizations: readonly Organization[]): string {
  const { host } = new URL(baseUrl);
  const [first] = organizations;
  if (!first) return host;
  const more = organizations.length > 1 ? ` +${organizations.length - 1}` : '';
  return `${first.name}${more} · ${host}`;
}
