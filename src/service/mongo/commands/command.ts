import type { Document } from 'bson';
import type { WireRequest } from '../wireMessages';
import type { MemoryLease } from '../memoryLease';
import type { ScramExchange } from '../scram';

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
