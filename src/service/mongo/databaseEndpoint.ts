import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Logger } from '../../base/logger';
import { toClientNetwork } from '../clientNetwork';
import type { TlsCertificate } from '../server/portListener';
import { type RateLimitOptions, RateLimits } from '../server/rateLimits';
import { TrustedProxies } from '../server/trustedProxies';
import { databaseUserSalts } from '../store/data/databaseUsers';
import type { Store } from '../store/store';
import { ByteQuota } from './memoryLease';
import { ClientConnection, CONNECTION_TIMES, type ConnectionTimes } from './clientConnection';
import type { SignedInUser } from './commands/runningQuery';
import { CommandTable } from './commands/commandTable';
import {
  CURSOR_LIMITS,
  type CursorFolder,
  type CursorLimits,
  Cursors,
  openCursorFolder,
} from './cursors';
import { DatabaseSignIn } from './databaseSignIn';
import type { SignInGuard } from '../auth/signInGuard';
import { MongoError } from './mongoError';
import type { ReadingsPipelines } from './readingsDatabase';

export interface DatabaseEndpointOptions {
  store: Store;
  queries: ReadingsPipelines;
  signInGuard: SignInGuard;
  /**
   * Secret from which the fake salts of nonexistent users are derived. The salts must not change
   * after a restart.
   */
  saltSecret: string;
  /**
   * Folder for results that clients haven't fetched yet. If absent, a temporary folder is used,
   * which is deleted when the endpoint closes.
   */
  cursorsDir: string | undefined;
  cursorLimits?: Partial<CursorLimits>;
  limits?: Partial<EndpointLimits>;
  /** Interval between checks for idle cursors and deleted users. */
  sweepMs?: number;
  logger: Logger;
}

export interface DatabaseListening {
  /** Host name or address to listen on. */
  host: string;
  /** Port to listen on; 0 for any free port. */
  port: number;
  /** Certificate for TLS. If absent, connections use plaintext. */
  tls?: TlsCertificate | undefined;
  /** Host name or address that clients use, if it differs from `host`. */
  publicHost?: string | undefined;
  /** Limits on the number of commands. If absent, they aren't limited. */
  rateLimits?: RateLimitOptions | undefined;
  /** Addresses and networks of proxies, each of which forwards the connections of many clients. */
  trustedProxies?: readonly string[] | undefined;
}

/** Address that clients use to reach the endpoint. */
export interface DatabaseAddress {
  /** Host name or address, with the port. */
  host: string;
  isEncrypted: boolean;
}

/** Maximum number of clients, and the limits that all clients share. */
export interface EndpointLimits extends ConnectionTimes {
  connections: number;
  /** Maximum number of unauthenticated connections. Drivers open one or two per client. */
  withoutUser: number;
  ofUser: number;
  /**
   * Maximum number of connections per IPv4 address or IPv6 network, except those of trusted proxies.
   * The rest is reserved for other addresses.
   */
  perAddress: number;
  withoutUserPerAddress: number;
  /**
   * Maximum number of excess connections that stay open so that their clients can receive an error.
   */
  rejecting: number;
  /** Maximum memory for large requests and responses in progress. */
  memoryBytes: number;
}

const MEBIBYTE = 1024 * 1024;

const ENDPOINT_LIMITS: EndpointLimits = {
  ...CONNECTION_TIMES,
  connections: 2_000,
  withoutUser: 1_000,
  ofUser: 1_000,
  perAddress: 1_000,
  withoutUserPerAddress: 500,
  rejecting: 200,
  memoryBytes: 128 * MEBIBYTE,
};

const HANDSHAKE_MS = 20_000;
const KEEP_ALIVE_PROBE_MS = 60_000;
const SWEEP_MS = 15_000;

/**
 * Gives MongoDB clients read access. An organization's database user sees only the organization's
 * readings, as the collection `readings` of the database `sensorData`. The endpoint is disabled
 * until `listen` is called.
 */
export class DatabaseEndpoint {
  private readonly connections = new Set<ClientConnection>();
  /** Excess connections, which receive only an error. */
  private readonly rejected = new Set<ClientConnection>();
  private readonly serving = new Set<Promise<void>>();
  private readonly limits: EndpointLimits;
  private readonly memory: ByteQuota;
  /** Number of rejected connections and commands since the last sweep. */
  private rejections = 0;
  private currentAddress: DatabaseAddress | undefined;
  private server: Server | undefined;
  private sweeping: NodeJS.Timeout | undefined;
  private lastConnectionId = 0;

  private constructor(
    private readonly options: DatabaseEndpointOptions,
    private readonly folder: CursorFolder,
    private readonly cursors: Cursors,
    private readonly commands: CommandTable,
  ) {
    this.limits = { ...ENDPOINT_LIMITS, ...options.limits };
    this.memory = new ByteQuota(this.limits.memoryBytes);
  }

  /** Prepares the endpoint and deletes results that an earlier process left behind. */
  static async open(options: DatabaseEndpointOptions): Promise<DatabaseEndpoint> {
    const { store, queries, saltSecret, signInGuard: guard, logger } = options;
    const folder = await openCursorFolder(options.cursorsDir);
    const cursors = new Cursors(folder.path, { ...CURSOR_LIMITS, ...options.cursorLimits });
    const signIn = new DatabaseSignIn({ store, saltSecret, guard, logger });
    const commands = new CommandTable({ signIn, queries, cursors });
    return new DatabaseEndpoint(options, folder, cursors, commands);
  }

  /** The endpoint's address; undefined if it is disabled. */
  get address(): DatabaseAddress | undefined {
    return this.currentAddress;
  }

  /** Size of the results that wait for clients, in bytes. */
  get bufferedBytes(): number {
    return this.cursors.bytes;
  }

  /**
   * Starts accepting clients.
   * @throws the system's error (`EADDRINUSE`, …) if it can't listen on the port.
   */
  async listen(listening: DatabaseListening): Promise<DatabaseAddress> {
    const { host, port, tls, publicHost } = listening;
    const rateLimits = new RateLimits(listening.rateLimits, () => (this.rejections += 1));
    const options = {
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
    };
    const proxies = new TrustedProxies(listening.trustedProxies ?? []);
    const accept = (socket: Socket): void => this.accept(socket, rateLimits, proxies);
    const server =
      tls === undefined
        ? createServer(options, accept)
        : createTlsServer({ ...options, ...tls, handshakeTimeout: HANDSHAKE_MS }, accept);
    server.maxConnections = this.limits.connections + this.limits.rejecting;
    server.on('drop', () => {
      this.rejections += 1;
      this.scheduleSweep();
    });
    server.listen({ host, port });
    await once(server, 'listening');
    server.on('error', (error: Error) => {
      this.options.logger.error('the database port failed', { error: error.message });
    });
    this.server = server;
    const name = publicHost ?? host;
    const bound = (server.address() as AddressInfo).port;
    this.currentAddress = {
      host: `${name.includes(':') ? `[${name}]` : name}:${bound}`,
      isEncrypted: tls !== undefined,
    };
    return this.currentAddress;
  }

  /**
   * Closes all connections and cursors that belong to an organization's user, because the password
   * was changed or the user was deleted.
   */
  async endUser(organizationId: string): Promise<void> {
    for (const connection of this.connectionsOf(organizationId)) {
      connection.cut();
    }
    await this.cursors.closeForOrganization(organizationId);
  }

  /** Stops accepting clients, disconnects existing ones, and removes all results. */
  async close(): Promise<void> {
    clearTimeout(this.sweeping);
    this.currentAddress = undefined;
    const server = this.server;
    const closed = server && new Promise((resolve) => server.close(resolve));
    for (const connection of [...this.connections, ...this.rejected]) {
      connection.cut();
    }
    await this.cursors.close();
    await Promise.all([closed, ...this.serving]);
    await this.folder.close();
  }

  private accept(socket: Socket, rateLimits: RateLimits, proxies: TrustedProxies): void {
    this.scheduleSweep();
    const { rejecting } = this.limits;
    const rejection = this.findRejection(socket.remoteAddress, proxies);
    const isServed = rejection === undefined;
    this.rejections += isServed ? 0 : 1;
    if (!isServed && this.rejected.size >= rejecting) {
      socket.destroy();
      return;
    }
    this.lastConnectionId += 1;
    const connection = new ClientConnection(socket, this.lastConnectionId, {
      commands: this.commands,
      isCurrent: async (user) => (await this.currentUsers([user])).length === 1,
      signedIn: ({ organizationId }) => {
        if (this.connectionsOf(organizationId).length > this.limits.ofUser) {
          this.rejections += 1;
          throw tooManyConnections('this user has');
        }
      },
      rateLimits,
      memory: this.memory,
      limits: this.limits,
      rejection,
      logger: this.options.logger,
    });
    const group = isServed ? this.connections : this.rejected;
    group.add(connection);
    const serving = this.serve(connection, group)
      .catch((error: unknown) => {
        this.options.logger.warn('a database connection was not closed', { error: String(error) });
      })
      .finally(() => this.serving.delete(serving));
    this.serving.add(serving);
  }

  /** Returns the error for a client that exceeds a limit on connections. */
  private findRejection(
    address: string | undefined,
    proxies: TrustedProxies,
  ): MongoError | undefined {
    const { connections, withoutUser, perAddress, withoutUserPerAddress } = this.limits;
    const all = [...this.connections];
    const countWithoutUser = (group: readonly ClientConnection[]): number =>
      group.filter(({ user }) => user === undefined).length;
    if (all.length >= connections || countWithoutUser(all) >= withoutUser) {
      return tooManyConnections('this server has');
    }
    if (proxies.includes(address)) return undefined;
    const network = toClientNetwork(address ?? '');
    const own = all.filter(({ state }) => toClientNetwork(state.address) === network);
    return own.length >= perAddress || countWithoutUser(own) >= withoutUserPerAddress
      ? tooManyConnections('this address has')
      : undefined;
  }

  private async serve(connection: ClientConnection, group: Set<ClientConnection>): Promise<void> {
    const user = await connection.serve();
    group.delete(connection);
    // A user without connections can't fetch the remaining results.
    if (user !== undefined && this.connectionsOf(user.organizationId).length === 0) {
      await this.cursors.closeForOrganization(user.organizationId);
    }
  }

  private connectionsOf(organizationId: string): ClientConnection[] {
    return [...this.connections].filter(({ user }) => user?.organizationId === organizationId);
  }

  /** Returns the users who authenticated with the current password. */
  private async currentUsers(users: readonly SignedInUser[]): Promise<SignedInUser[]> {
    const ids = [...new Set(users.map(({ organizationId }) => organizationId))];
    const salts = await databaseUserSalts(this.options.store, ids);
    return users.filter(({ organizationId, salt }) => salts.get(organizationId) === salt);
  }

  /** Schedules the next sweep while there are clients. Without them, there are no cursors. */
  private scheduleSweep(): void {
    if (this.currentAddress === undefined) return;
    this.sweeping ??= setTimeout(() => {
      void this.sweep().finally(() => {
        this.sweeping = undefined;
        if (this.connections.size > 0 || this.rejections > 0) this.scheduleSweep();
      });
    }, this.options.sweepMs ?? SWEEP_MS).unref();
  }

  /**
   * Closes idle cursors. Disconnects users who were deleted by another process or together with
   * their organization.
   */
  private async sweep(): Promise<void> {
    if (this.rejections > 0) {
      const count = this.rejections;
      this.rejections = 0;
      this.options.logger.warn(
        'database clients were rejected because there are too many connections or commands',
        { count },
      );
    }
    try {
      await this.cursors.endIdle();
      const users = [...this.connections].flatMap(({ user }) => user ?? []);
      const current = new Set(await this.currentUsers(users));
      const ended = users.filter((user) => !current.has(user));
      await Promise.all(ended.map(({ organizationId }) => this.endUser(organizationId)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.options.logger.warn('database users could not be updated', { reason });
    }
  }
}

function tooManyConnections(subject: string): MongoError {
  return new MongoError(
    'IngressRequestRateLimitExceeded',
    `${subject} too many connections: close some, or set a lower maxPoolSize, and try again`,
  );
}
