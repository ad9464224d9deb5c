import type { MemoryLease } from './memoryLease';
import type { ScramExchange } from './scramExchange';

/** A database user who has proven their password. */
export interface SignedInUser {
  organizationId: string;
  name: string;
  /** Distinguishes the password from earlier and later ones. */
  salt: string;
}

/** An authentication exchange in progress; if the user exists, it is signed in at the end. */
export interface PendingSignIn {
  exchange: ScramExchange;
  user: SignedInUser;
  /** True if the client skips the final empty message after the proof. */
  skipsEmptyExchange: boolean;
  /** True if the proof was correct and the client's final message is pending. */
  isProved: boolean;
}

/** The state of one connection. */
export interface ClientState {
  readonly connectionId: number;
  /** Address of the client without its port. */
  readonly address: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** For a request and its response. */
  readonly memory: MemoryLease;
  user: SignedInUser | undefined;
  signIn: PendingSignIn | undefined;
  failedSignIns: number;
  /** True to close the connection after its last response. */
  isEnding: boolean;
}
