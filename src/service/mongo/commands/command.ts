import type { Document } from 'bson';
import type { ClientState, SignedInUser } from '../clientState';
import type { WireRequest } from '../wireRequest';

/** What a command works with. */
export interface CommandCall {
  state: ClientState;
  request: WireRequest;
}

/** What a command of a signed-in user works with. */
export interface UserCall extends CommandCall {
  user: SignedInUser;
}

/** Answers a command: a document without `ok`, or all of its bytes. */
export type Command<Call = UserCall> = (call: Call) => Promise<Document | Uint8Array> | Document;

/** Commands by their names. */
export type Commands<Call = UserCall> = Readonly<Record<string, Command<Call>>>;
