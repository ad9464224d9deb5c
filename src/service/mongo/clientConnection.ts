import { serialize } from 'bson';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Logger } from '../../base/logger';
import { logInternalError } from '../server/internalErrorInterceptor';
import type { ClientState, SignedInUser } from './clientState';
import { type CommandTable, signInFirst } from './commands/commandTable';
import { MessageStream, type RawMessage } from './messageStream';
import { MongoError, toMongoError } from './mongoError';
import { documentBytes } from './rawBson';
import { replyBytes } from './wireReply';
import { readRequest, wantsAnswer, type WireRequest } from './wireRequest';

export interface ConnectionDependencies {
  commands: CommandTable;
  /** Whether the user's password is still the one that was proved. */
  isCurrent: (user: SignedInUser) => Promise<boolean>;
  /** Hears that a user has signed in; refuses by throwing a MongoError. */
  signedIn: (user: SignedInUser) => void;
  logger: Logger;
}

const KIBIBYTE = 1024;
/** What drivers tell about themselves is shorter. */
const HANDSHAKE_BYTES = 16 * KIBIBYTE;
const REQUEST_BYTES = KIBIBYTE * KIBIBYTE;
/** Drivers watch a server over connections without a user, and say something every few seconds. */
const HANDSHAKE_IDLE_MS = 120_000;
const IDLE_MS = 1_800_000;
/** How long a client may take to take something of an answer. */
const SENDING_IDLE_MS = 60_000;

/** One client: takes its commands one after the other, and answers them. */
export class ClientConnection {
  readonly state: ClientState;
  readonly #closed = new AbortController();

  constructor(
    private readonly socket: Socket,
    connectionId: number,
    private readonly dependencies: ConnectionDependencies,
  ) {
    this.state = {
      connectionId,
      address: socket.remoteAddress ?? '',
      signal: this.#closed.signal,
      user: undefined,
      signIn: undefined,
      failedSignIns: 0,
      isEnding: false,
    };
    socket.on('close', () => this.#closed.abort());
    socket.on('timeout', () => socket.destroy());
    // It is closed then, and there is nobody to tell.
    socket.on('error', () => undefined);
  }

  get user(): SignedInUser | undefined {
    return this.state.user;
  }

  /**
   * Serves the client until it goes away, says something that is no command, or is ended.
   * @returns the user who was signed in at the end.
   */
  async serve(): Promise<SignedInUser | undefined> {
    const messages = new MessageStream(this.socket);
    try {
      while (!this.state.isEnding && !this.state.signal.aborted) {
        const hasUser = this.user !== undefined;
        this.socket.setTimeout(hasUser ? IDLE_MS : HANDSHAKE_IDLE_MS);
        const message = await messages.next(hasUser ? REQUEST_BYTES : HANDSHAKE_BYTES);
        if (message === undefined) {
          break;
        }
        this.socket.setTimeout(0);
        await this.#answer(message);
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.dependencies.logger.debug('a database client was cut off', { reason });
    }
    // What was answered last is still sent.
    this.socket.destroySoon();
    this.#closed.abort();
    return this.user;
  }

  /** Cuts the client off; what it asked for is given up. */
  cut(): void {
    this.state.isEnding = true;
    this.socket.destroy();
    this.#closed.abort();
  }

  async #answer(message: RawMessage): Promise<void> {
    if (message.isTooLong) {
      await this.#refuseTooLong(message);
      return;
    }
    const request = readRequest(message);
    const document = await this.#run(request).catch((error: unknown) =>
      this.#failure(error, request),
    );
    if (!request.isUnanswered) {
      await this.#send(request, document);
    }
  }

  async #run(request: WireRequest): Promise<Uint8Array> {
    const { commands, isCurrent } = this.dependencies;
    const { state } = this;
    const { user } = state;
    const { name } = request;
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
    this.#admit(user);
    return answer instanceof Uint8Array ? answer : documentBytes({}, { ...answer, ok: 1 });
  }

  #admit(before: SignedInUser | undefined): void {
    const { state } = this;
    if (state.user === undefined || state.user === before) {
      return;
    }
    try {
      this.dependencies.signedIn(state.user);
    } catch (error) {
      state.user = undefined;
      state.isEnding = true;
      throw error;
    }
  }

  #failure(error: unknown, { name }: WireRequest): Uint8Array {
    const { code, codeName, message } = toMongoError(error, (unexpected) =>
      logInternalError(
        this.dependencies.logger,
        `database command ${name.slice(0, 100)}`,
        unexpected,
      ),
    );
    return serialize({ ok: 0, errmsg: message, code, codeName });
  }

  async #refuseTooLong(message: RawMessage): Promise<void> {
    if (this.user === undefined) {
      throw new Error('a client that has not signed in sent a long message');
    }
    if (wantsAnswer(message)) {
      const error = new MongoError(
        'BSONObjectTooLarge',
        'requests must not be longer than 1 MiB here: data is read only, and queries are short',
      );
      const { code, codeName, message: errmsg } = error;
      await this.#send(
        { requestId: message.requestId, isLegacy: false },
        serialize({ ok: 0, errmsg, code, codeName }),
      );
    }
  }

  async #send(request: Parameters<typeof replyBytes>[0], document: Uint8Array): Promise<void> {
    this.socket.setTimeout(SENDING_IDLE_MS);
    this.socket.cork();
    const isTaken = replyBytes(request, document).map((bytes) => this.socket.write(bytes));
    this.socket.uncork();
    if (!isTaken.every(Boolean)) {
      await once(this.socket, 'drain', { signal: this.state.signal });
    }
  }
}
