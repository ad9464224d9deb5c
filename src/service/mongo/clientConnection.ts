import { serialize } from 'bson';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Logger } from '../../base/logger';
import { logInternalError } from '../server/callRecord';
import type { RateLimits } from '../server/rateLimits';
import type { ClientState, SignedInUser } from './commands/runningQuery';
import { type CommandTable, signInFirst } from './commands/commandTable';
import { type ByteQuota, MemoryLease } from './memoryLease';
import { MessageStream, type RawMessage } from './messageStream';
import { MongoError, toMongoError } from './mongoError';
import { documentBytes } from './rawBson';
import { expectsReply, readRequest, replyBytes, type WireRequest } from './wireMessages';

export interface ConnectionDependencies {
  commands: CommandTable;
  /** Resolves to true if the user's password hasn't changed since the user signed in. */
  isCurrent: (user: SignedInUser) => Promise<boolean>;
  /** Called when a user has signed in. Throws a MongoError to reject the user. */
  signedIn: (user: SignedInUser) => void;
  /** Limits on the number of commands, which all connections share. */
  rateLimits: RateLimits;
  /** Memory quota that all connections share. */
  memory: ByteQuota;
  limits: ConnectionTimes;
  /**
   * Reason why the client is rejected. The client receives the reason as the response and is then
   * disconnected.
   */
  rejection?: MongoError | undefined;
  logger: Logger;
}

export interface ConnectionTimes {
  /** Timeout in milliseconds for receiving a message, from its first byte to its last. */
  receivingMs: number;
  /**
   * Idle timeout in milliseconds while a client isn't reading a response. `sendingMs` is the total
   * timeout for reading a response.
   */
  sendingIdleMs: number;
  sendingMs: number;
}

export const CONNECTION_TIMES: ConnectionTimes = {
  receivingMs: 60_000,
  sendingIdleMs: 60_000,
  sendingMs: 600_000,
};

const KIBIBYTE = 1024;
/** Maximum size of a handshake message. The metadata that drivers send is shorter. */
const HANDSHAKE_BYTES = 16 * KIBIBYTE;
const REQUEST_BYTES = KIBIBYTE * KIBIBYTE;
/**
 * Idle timeout in milliseconds for connections without a user. Drivers use these connections to
 * monitor a server and send a message every few seconds.
 */
const HANDSHAKE_IDLE_MS = 120_000;
const IDLE_MS = 1_800_000;
/** Timeout in milliseconds for the first message from a rejected client. */
const REJECTED_IDLE_MS = 5_000;

/** A client's connection. Handles the client's commands sequentially. */
export class ClientConnection {
  readonly state: ClientState;
  private readonly closed = new AbortController();

  constructor(
    private readonly socket: Socket,
    connectionId: number,
    private readonly dependencies: ConnectionDependencies,
  ) {
    this.state = {
      connectionId,
      address: socket.remoteAddress ?? '',
      signal: this.closed.signal,
      memory: new MemoryLease(dependencies.memory),
      user: undefined,
      signIn: undefined,
      failedSignIns: 0,
      isEnding: false,
    };
    socket.on('close', () => this.closed.abort());
    socket.on('timeout', () => socket.destroy());
    // After an error, the socket is closed and the client can no longer be notified.
    socket.on('error', () => undefined);
  }

  get user(): SignedInUser | undefined {
    return this.state.user;
  }

  /**
   * Serves the client until it disconnects, sends data that is not a command, or is disconnected by
   * the service.
   * @returns the user who was signed in when the connection ended.
   */
  async serve(): Promise<SignedInUser | undefined> {
    const messages = new MessageStream(this.socket);
    const { memory } = this.state;
    const { receivingMs } = this.dependencies.limits;
    try {
      while (!this.state.isEnding && !this.state.signal.aborted) {
        this.socket.setTimeout(this.idleMs());
        const message = await messages.next({
          maxBytes: this.user === undefined ? HANDSHAKE_BYTES : REQUEST_BYTES,
          lease: (bytes) => memory.extendTo(bytes),
          receivingMs,
        });
        if (message === undefined) break;
        this.socket.setTimeout(0);
        await this.answer(message);
        memory.release();
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.dependencies.logger.debug('a database client was disconnected', { reason });
    }
    memory.release();
    // `destroySoon` still sends the last response.
    this.socket.destroySoon();
    this.closed.abort();
    return this.user;
  }

  /** Disconnects the client and aborts its request. */
  cut(): void {
    this.state.isEnding = true;
    this.socket.destroy();
    this.closed.abort();
  }

  private idleMs(): number {
    if (this.dependencies.rejection !== undefined) return REJECTED_IDLE_MS;
    return this.user === undefined ? HANDSHAKE_IDLE_MS : IDLE_MS;
  }

  private async answer(message: RawMessage): Promise<void> {
    let request;
    try {
      request = this.readRequest(message);
    } catch (error) {
      if (!(error instanceof MongoError) || (!expectsReply(message) && this.user === undefined)) {
        throw error;
      }
      if (!expectsReply(message)) return;
      this.state.isEnding ||= this.user === undefined || error.codeName === 'ProtocolError';
      const { requestId } = message;
      await this.send({ requestId, isLegacy: false }, serialize(error.toReply()));
      return;
    }
    const { isUnanswered } = request;
    const document = await this.run(request).catch((error: unknown) =>
      this.failure(error, request),
    );
    if (!isUnanswered) await this.send(request, document);
  }

  private readRequest(message: RawMessage): WireRequest {
    if (message.dropped === 'tooLong') {
      throw new MongoError(
        'BSONObjectTooLarge',
        'a request can have at most 1 MiB, and at most 16 KiB before signing in',
      );
    }
    if (message.dropped === 'noMemory') {
      throw new MongoError(
        'IngressRequestRateLimitExceeded',
        'too many long requests arrive at the same time: try again later',
      );
    }
    return readRequest(message);
  }

  private async run(request: WireRequest): Promise<Uint8Array> {
    const { commands, isCurrent, rejection } = this.dependencies;
    if (rejection !== undefined) {
      this.state.isEnding = true;
      throw rejection;
    }
    const { state } = this;
    const { user } = state;
    const { name } = request;
    this.limitRate(user);
    const handshake = commands.forAnybody(name);
    if (request.isLegacy && (handshake === undefined || name.startsWith('sasl'))) {
      throw new MongoError('UnsupportedOpQueryCommand', `Unsupported OP_QUERY command: ${name}`);
    }
    let answer;
    if (handshake !== undefined) {
      answer = await handshake({ state, request });
    } else if (user === undefined) {
      throw signInFirst(name);
    } else if (request.database === '') {
      throw new MongoError('MissingDatabase', 'OP_MSG requests require a $db argument');
    } else if (await isCurrent(user)) {
      answer = await commands.forUsers(name)({ state, request, user });
    } else {
      state.isEnding = true;
      throw new MongoError('Unauthorized', 'the password of this user was changed: sign in again');
    }
    this.admit(user);
    return answer instanceof Uint8Array ? answer : documentBytes({}, { ...answer, ok: 1 });
  }

  /** Counts a command of a client, and of the organization whose user it is. */
  private limitRate(user: SignedInUser | undefined): void {
    const { rateLimits } = this.dependencies;
    const excess =
      rateLimits.takeAddress(this.state.address) ??
      (user === undefined ? undefined : rateLimits.takeKey(user.organizationId));
    if (excess === undefined) return;
    throw new MongoError('IngressRequestRateLimitExceeded', excess.rawMessage);
  }

  private admit(before: SignedInUser | undefined): void {
    const { state } = this;
    if (state.user === undefined || state.user === before) return;
    try {
      this.dependencies.signedIn(state.user);
    } catch (error) {
      state.user = undefined;
      state.isEnding = true;
      throw error;
    }
  }

  private failure(error: unknown, { name }: WireRequest): Uint8Array {
    const failure = toMongoError(error, (unexpected) =>
      logInternalError(
        this.dependencies.logger,
        `database command ${name.slice(0, 100)}`,
        unexpected,
      ),
    );
    return serialize(failure.toReply());
  }

  /**
   * Leases memory for a response. Returns the response, or an error if there isn't enough memory.
   */
  private leaseAnswer(document: Uint8Array): Uint8Array {
    try {
      this.state.memory.requireRoom(document.byteLength);
      return document;
    } catch (error) {
      if (!(error instanceof MongoError)) throw error;
      return serialize(error.toReply());
    }
  }

  private async send(
    request: Parameters<typeof replyBytes>[0],
    document: Uint8Array,
  ): Promise<void> {
    const { signal } = this.state;
    const { sendingIdleMs, sendingMs } = this.dependencies.limits;
    const reply = this.leaseAnswer(document);
    this.socket.setTimeout(sendingIdleMs);
    this.socket.cork();
    const isTaken = replyBytes(request, reply).map((bytes) => this.socket.write(bytes));
    this.socket.uncork();
    if (!isTaken.every(Boolean)) {
      const timer = setTimeout(() => this.socket.destroy(), sendingMs);
      try {
        await once(this.socket, 'drain', { signal });
      } finally {
        clearTimeout(timer);
      }
    }
  }
}
