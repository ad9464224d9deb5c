import type { Document } from 'bson';
import type { ClientState, SignedInUser } from '../clientState';
import type { WireRequest } from '../wireRequest';

/** Input of a command. */
export interface CommandCall {
  state: ClientState;
  request: WireRequest;
}

/** Input of a command of a signed-in user. */
export interface UserCall extends CommandCall {
  user: SignedInUser;
}

/**
 * Runs a command and returns its response, either as a document without `ok` or as complete bytes.
 */
export type Command<Call = UserCall> = (call: Call) => Promise<Document | Uint8Array> | Document;

/** Commands by name. */
export type Commands<Call = UserCall> = Readonly<Record<string, Command<Call>>>;
