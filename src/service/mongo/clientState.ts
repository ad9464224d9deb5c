import type { MemoryLease } from './memoryLease';
import type { ScramExchange } from './scramExchange';

/** A database user who has proved its password. */
export interface SignedInUser {
  organizationId: string;
  name: string;
  /** Tells the password from the ones before and after it. */
  salt: string;
}

/** An exchange that goes on; its user, if there is one of that name, is signed in by its end. */
export interface PendingSignIn {
  exchange: ScramExchange;
  user: SignedInUser;
  /** Whether the client wants to say nothing more after the proof. */
  skipsEmptyExchange: boolean;
  /** The proof was right, and the client's last word is awaited. */
  isProved: boolean;
}

/** What is known of one connection. */
export interface ClientState {
  readonly connectionId: number;
  /** Where the client is, without its port. */
  readonly address: string;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  /** For a request and its answer. */
  readonly memory: MemoryLease;
  user: SignedInUser | undefined;
  signIn: PendingSignIn | undefined;
  failedSignIns: number;
  /** The connection ends when its last answer is sent. */
  isEnding: boolean;
}
