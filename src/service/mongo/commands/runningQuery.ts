import { deserialize, type Document } from 'bson';
import { MongoError } from '../mongoError';
import { onAbort } from '../../../base/cancellation';
import { numberField } from '../commandFields';
import {
  COLLECTION,
  DATABASE,
  type PipelineQuery,
  type ReadingsPipelines,
} from '../readingsDatabase';
import { COUNT_FIELD } from '../queryStages';
import type { WireRequest } from '../wireMessages';
import type { MemoryLease } from '../memoryLease';
import type { ScramExchange } from '../scram';

/** Maximum delay for a Node.js timer. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/** Query that returns documents one at a time until it is stopped or exhausted. */
export class RunningQuery {
  private readonly abort = new AbortController();
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly documents: AsyncIterator<Uint8Array>;

  /** @param maxTimeMs maximum time until the last document is returned; 0 for no limit. */
  constructor(run: (signal: AbortSignal) => AsyncIterable<Uint8Array>, maxTimeMs: number) {
    if (maxTimeMs > 0) {
      this.timer = setTimeout(
        () => {
          this.abort.abort(new MongoError('MaxTimeMSExpired', 'operation exceeded time limit'));
        },
        Math.min(maxTimeMs, MAX_WAIT_MS),
      );
    }
    this.documents = run(this.abort.signal)[Symbol.asyncIterator]();
  }

  /**
   * Returns the next document; undefined after the last one.
   * @throws the reason why the query failed or was stopped.
   */
  async next(): Promise<Uint8Array | undefined> {
    try {
      this.abort.signal.throwIfAborted();
      const result = await this.documents.next();
      if (result.done === true) {
        clearTimeout(this.timer);
        return undefined;
      }
      return result.value;
    } catch (error) {
      clearTimeout(this.timer);
      // The abort reason is more specific than the query's error.
      this.abort.signal.throwIfAborted();
      throw error;
    }
  }

  /**
   * Stops the query, regardless of its state, and frees its resources. Callers that are waiting for
   * a document receive an error.
   */
  async end(): Promise<void> {
    clearTimeout(this.timer);
    this.abort.abort(new MongoError('Interrupted', 'operation was interrupted'));
    // If the query failed, the consumer of its documents has already received the error.
    await this.documents.return?.().catch(() => undefined);
  }
}

/**
 * Runs a pipeline over the readings of the user's organization and processes its documents. The
 * query is aborted when the client disconnects or the processing fails.
 */
export async function withQuery<T>(
  queries: ReadingsPipelines,
  { user, state, request }: UserCall,
  pipeline: Omit<PipelineQuery, 'hasIds'>,
  work: (query: RunningQuery) => Promise<T>,
): Promise<T> {
  const { organizationId } = user;
  const query = new RunningQuery(
    (signal) =>
      queries.run(organizationId, { ...pipeline, hasIds: true }, { recent: false }, signal),
    numberField(request.fields, 'maxTimeMS', 0),
  );
  const following = onAbort(state.signal, () => void query.end());
  try {
    return await work(query);
  } catch (error) {
    await query.end();
    throw error;
  } finally {
    following.dispose();
  }
}

/** Reads the result of `countStages` and ends the query. */
export async function readCount(query: RunningQuery): Promise<number> {
  const result = await query.next();
  await query.end();
  const count: unknown = result === undefined ? 0 : deserialize(result)[COUNT_FIELD];
  return Number(count);
}

/** @throws MongoError if a command targets anything other than the readings collection. */
export function requireReadings({ name, database, fields }: WireRequest, field = name): void {
  if (database !== DATABASE || fields[field] !== COLLECTION) {
    throw new MongoError(
      'Unauthorized',
      `not authorized to run ${name} there: this user can only read the collection ` +
        `${COLLECTION} of the database ${DATABASE}`,
    );
  }
}

/** Input of a command. */
export interface CommandCall {
  state: ClientState;
  request: WireRequest;
}

/** Input to a command from a signed-in user. */
export interface UserCall extends CommandCall {
  user: SignedInUser;
}

/**
 * Runs a command and returns its response, either as a document without `ok` or as complete bytes.
 */
export type Command<Call = UserCall> = (call: Call) => Promise<Document | Uint8Array> | Document;

/** Commands by name. */
export type Commands<Call = UserCall> = Readonly<Record<string, Command<Call>>>;

/** Database user who has proved knowledge of the password. */
export interface SignedInUser {
  organizationId: string;
  name: string;
  /** Salt that distinguishes the current password from earlier and later ones. */
  salt: string;
}

/** Authentication exchange in progress. When it ends, the user is signed in if the user exists. */
export interface PendingSignIn {
  exchange: ScramExchange;
  user: SignedInUser;
  /** True if the client omits the final empty message after the proof. */
  skipsEmptyExchange: boolean;
  /** True if the proof was correct and the client's final message is pending. */
  isProved: boolean;
}

/** State of a client connection. */
export interface ClientState {
  readonly connectionId: number;
  /** The client's address without its port. */
  readonly address: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Memory lease for a request and its response. */
  readonly memory: MemoryLease;
  user: SignedInUser | undefined;
  signIn: PendingSignIn | undefined;
  failedSignIns: number;
  /** True to close the connection after its last response. */
  isEnding: boolean;
}
