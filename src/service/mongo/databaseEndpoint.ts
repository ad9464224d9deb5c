import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { systemSleep } from '../../base/clock';
import type { Logger } from '../../base/logger';
import type { TlsCertificate } from '../server/portListener';
import { databaseUserSalts } from '../store/data/databaseUsers';
import type { Store } from '../store/store';
import { ClientConnection } from './clientConnection';
import type { SignedInUser } from './clientState';
import { CommandTable } from './commands/commandTable';
import { type CursorFolder, openCursorFolder } from './cursorFolder';
import { CURSOR_LIMITS, type CursorLimits, Cursors } from './cursors';
import { DatabaseSignIn } from './databaseSignIn';
import { GuessBrake } from '../auth/guessBrake';
import { MongoError } from './mongoError';
import type { ReadingsPipelines } from './readingsPipelines';

export interface DatabaseEndpointOptions {
  store: Store;
  queries: ReadingsPipelines;
  /** Makes up what is told of users that there are not; the same after a restart. */
  saltSecret: string;
  /** Where results wait to be fetched; absent, in a directory that goes with the endpoint. */
  cursorsDir: string | undefined;
  cursorLimits?: Partial<CursorLimits>;
  /** How often idle cursors and users that are no more are looked for. */
  sweepMs?: number;
  logger: Logger;
}

export interface DatabaseListening {
  /** Name or address to listen on. */
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Absent, the port speaks plaintext. */
  tls?: TlsCertificate | undefined;
  /** What clients call the host, when that is another name or address. */
  publicHost?: string | undefined;
}

/** Where clients reach the endpoint. */
export interface DatabaseAddress {
  /** The host's name or address with the port. */
  host: string;
  isEncrypted: boolean;
}

const MOST_CONNECTIONS = 500;
/** Drivers hold one or two connections without a user for each of their servers. */
const MOST_WITHOUT_USER = 200;
/** As many as a driver opens at most unless it is told otherwise. */
const MOST_OF_A_USER = 100;
const HANDSHAKE_MS = 20_000;
const KEEP_ALIVE_PROBE_MS = 60_000;
const SWEEP_MS = 15_000;

/**
 * Lets clients of MongoDB read: an organization's database user sees the organization's readings,
 * as the collection `readings` of the database `sensorData`, and nothing else. It is off until it
 * is told to listen.
 */
export class DatabaseEndpoint {
  readonly #connections = new Set<ClientConnection>();
  readonly #serving = new Set<Promise<void>>();
  #address: DatabaseAddress | undefined;
  #server: Server | undefined;
  #sweeping: NodeJS.Timeout | undefined;
  #lastConnectionId = 0;

  private constructor(
    private readonly options: DatabaseEndpointOptions,
    private readonly folder: CursorFolder,
    private readonly cursors: Cursors,
    private readonly commands: CommandTable,
  ) {}

  /** Prepares the endpoint, and sweeps what an earlier process left of results. */
  static async open(options: DatabaseEndpointOptions): Promise<DatabaseEndpoint> {
    const { store, queries, saltSecret, logger } = options;
    const folder = await openCursorFolder(options.cursorsDir);
    const cursors = new Cursors(folder.path, { ...CURSOR_LIMITS, ...options.cursorLimits });
    const brake = new GuessBrake(systemSleep);
    const signIn = new DatabaseSignIn({ store, saltSecret, brake, logger });
    const commands = new CommandTable({ signIn, queries, cursors });
    return new DatabaseEndpoint(options, folder, cursors, commands);
  }

  /** Where it is reached; undefined when it is off. */
  get address(): DatabaseAddress | undefined {
    return this.#address;
  }

  /**
   * Begins to take clients.
   * @throws the system's error (`EADDRINUSE`, …) when the port cannot be listened on.
   */
  async listen({ host, port, tls, publicHost }: DatabaseListening): Promise<DatabaseAddress> {
    const options = {
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
    };
    const accept = (socket: Socket): void => this.#accept(socket);
    const server =
      tls === undefined
        ? createServer(options, accept)
        : createTlsServer({ ...options, ...tls, handshakeTimeout: HANDSHAKE_MS }, accept);
    server.maxConnections = MOST_CONNECTIONS;
    server.listen({ host, port });
    await once(server, 'listening');
    server.on('error', (error: Error) => {
      this.options.logger.error('the database port failed', { error: error.message });
    });
    this.#server = server;
    this.#sweeping = setInterval(() => void this.#sweep(), this.options.sweepMs ?? SWEEP_MS);
    this.#sweeping.unref();
    const name = publicHost ?? host;
    const bound = (server.address() as AddressInfo).port;
    this.#address = {
      host: `${name.includes(':') ? `[${name}]` : name}:${bound}`,
      isEncrypted: tls !== undefined,
    };
    return this.#address;
  }

  /** Ends what an organization's user has open: its password was changed, or it is no more. */
  async endUser(organizationId: string): Promise<void> {
    for (const connection of this.#connectionsOf(organizationId)) {
      connection.cut();
    }
    await this.cursors.endOf(organizationId);
  }

  /** Takes no more clients, cuts off those that are there, and leaves nothing behind. */
  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    this.#address = undefined;
    const server = this.#server;
    const closed = server && new Promise((resolve) => server.close(resolve));
    for (const connection of this.#connections) {
      connection.cut();
    }
    await this.cursors.close();
    await Promise.all([closed, ...this.#serving]);
    await this.folder.close();
  }

  #accept(socket: Socket): void {
    const withoutUser = [...this.#connections].filter(({ user }) => user === undefined);
    if (withoutUser.length >= MOST_WITHOUT_USER) {
      socket.destroy();
      return;
    }
    this.#lastConnectionId += 1;
    const connection = new ClientConnection(socket, this.#lastConnectionId, {
      commands: this.commands,
      isCurrent: async (user) => (await this.#currentUsers([user])).length === 1,
      signedIn: ({ organizationId }) => {
        if (this.#connectionsOf(organizationId).length > MOST_OF_A_USER) {
          throw new MongoError('AuthenticationFailed', 'this user has too many connections');
        }
      },
      logger: this.options.logger,
    });
    this.#connections.add(connection);
    const serving = this.#serve(connection).finally(() => this.#serving.delete(serving));
    this.#serving.add(serving);
  }

  async #serve(connection: ClientConnection): Promise<void> {
    const user = await connection.serve();
    this.#connections.delete(connection);
    // Who has no connection any more cannot come back for results.
    if (user !== undefined && this.#connectionsOf(user.organizationId).length === 0) {
      await this.cursors.endOf(user.organizationId);
    }
  }

  #connectionsOf(organizationId: string): ClientConnection[] {
    return [...this.#connections].filter(({ user }) => user?.organizationId === organizationId);
  }

  /** Those of these users whose passwords are still the ones that they proved. */
  async #currentUsers(users: readonly SignedInUser[]): Promise<SignedInUser[]> {
    const ids = [...new Set(users.map(({ organizationId }) => organizationId))];
    const salts = await databaseUserSalts(this.options.store, ids);
    return users.filter(({ organizationId, salt }) => salts.get(organizationId) === salt);
  }

  /** Ends idle cursors, and users whom another process or a deleted organization ended. */
  async #sweep(): Promise<void> {
    try {
      await this.cursors.endIdle();
      const users = [...this.#connections].flatMap(({ user }) => user ?? []);
      const current = new Set(await this.#currentUsers(users));
      const ended = users.filter((user) => !current.has(user));
      await Promise.all(ended.map(({ organizationId }) => this.endUser(organizationId)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.options.logger.warn('database users could not be looked after', { reason });
    }
  }
}
