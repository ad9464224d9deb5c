import { Code, ConnectError } from '@connectrpc/connect';
import { Binary, deserialize, type Document } from 'bson';
import type { Logger } from '../../base/logger';
import { findDatabaseUser } from '../store/data/databaseUsers';
import type { Store } from '../store/store';
import type { ClientState } from './commands/runningQuery';
import { parseUserOrganization } from './readingsDatabase';
import type { SignInGuard } from '../auth/signInGuard';
import { MongoError } from './mongoError';
import { absentCredential, readClientFirst, ScramExchange, storedCredential } from './scram';

export interface SignInDependencies {
  store: Store;
  /** Secret from which the fake salts of nonexistent users are derived. */
  saltSecret: string;
  guard: SignInGuard;
  logger: Logger;
}

export const MECHANISM = 'SCRAM-SHA-256';
const CONVERSATION_ID = 1;
const MAX_FAILURES = 3;

/**
 * Authenticates database users with SCRAM-SHA-256. For a nonexistent user, the exchange is the same
 * as with an incorrect password and fails at the end.
 */
export class DatabaseSignIn {
  constructor(private readonly dependencies: SignInDependencies) {}

  /** Handles the `saslStart` command. */
  async start(state: ClientState, fields: Document): Promise<Document> {
    const { store, saltSecret } = this.dependencies;
    state.signIn = undefined;
    const first = readClientFirst(getPayload(fields));
    if (fields.mechanism !== MECHANISM || first === undefined) {
      this.fail(state, `this server only supports the mechanism ${MECHANISM}`);
    }
    const { userName } = first;
    const organizationId = parseUserOrganization(userName) ?? '';
    const row = await findDatabaseUser(store, organizationId);
    const credential = row ? storedCredential(row) : absentCredential(saltSecret, userName);
    const exchange = new ScramExchange(first, credential);
    state.signIn = {
      exchange,
      user: { organizationId, name: userName, salt: row?.salt ?? '' },
      skipsEmptyExchange: skipsEmptyExchange(fields),
      isProved: false,
    };
    return conversation(exchange.serverFirst, false);
  }

  /** Handles the `saslContinue` command. */
  async continue(state: ClientState, fields: Document): Promise<Document> {
    const { signIn } = state;
    if (signIn === undefined || fields.conversationId !== CONVERSATION_ID) {
      throw new MongoError('ProtocolError', 'no sign-in is in progress: begin with saslStart');
    }
    if (signIn.isProved) return this.succeed(state, signIn.user, '');
    const serverFinal = await this.dependencies.guard
      .attempt(signIn.user.name, state.address, state.signal, () =>
        Promise.resolve(signIn.exchange.serverFinal(getPayload(fields))),
      )
      .catch((error: unknown) => {
        if (ConnectError.from(error).code !== Code.ResourceExhausted) throw error;
        this.fail(state, 'too many failed attempts: try again in a minute');
      });
    if (serverFinal === undefined) this.fail(state, 'Authentication failed.');
    if (signIn.skipsEmptyExchange) return this.succeed(state, signIn.user, serverFinal);
    signIn.isProved = true;
    return conversation(serverFinal, false);
  }

  private succeed(state: ClientState, user: ClientState['user'], payload: string): Document {
    state.user = user;
    state.signIn = undefined;
    return conversation(payload, true);
  }

  private fail(state: ClientState, message: string): never {
    state.signIn = undefined;
    state.failedSignIns += 1;
    state.isEnding ||= state.failedSignIns >= MAX_FAILURES;
    this.dependencies.logger.info('a database sign-in was rejected', { address: state.address });
    throw new MongoError('AuthenticationFailed', message);
  }
}

function conversation(payload: string, done: boolean): Document {
  return { conversationId: CONVERSATION_ID, done, payload: new Binary(Buffer.from(payload)) };
}

function getPayload({ payload }: Document): string {
  return payload instanceof Binary ? payload.toString('utf8') : '';
}

function skipsEmptyExchange({ options }: Document): boolean {
  return options instanceof Uint8Array && deserialize(options).skipEmptyExchange === true;
}
