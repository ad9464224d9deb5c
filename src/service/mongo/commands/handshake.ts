import type { Document } from 'bson';
import { MECHANISM, type DatabaseSignIn } from '../databaseSignIn';
import { MAX_MESSAGE_BYTES } from '../messageStream';
import { MAX_DOCUMENT_BYTES } from '../rawBson';
import type { CommandCall, Commands } from './command';

const SESSION_MINUTES = 30;
/** The protocol of MongoDB 7.0. */
const WIRE_VERSION = 21;

/** The commands that a client can use before it has signed in. */
export function handshakeCommands(signIn: DatabaseSignIn): Commands<CommandCall> {
  return {
    hello: (call) => ({ isWritablePrimary: true, ...hello(call) }),
    isMaster: (call) => ({ ismaster: true, ...hello(call) }),
    ismaster: (call) => ({ ismaster: true, ...hello(call) }),
    saslStart: ({ state, request }) => signIn.start(state, request.fields),
    saslContinue: ({ state, request }) => signIn.continue(state, request.fields),
  };
}

function hello({ state, request }: CommandCall): Document {
  return {
    helloOk: true,
    // Drivers split longer documents; nothing that long is accepted here.
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    maxMessageSizeBytes: MAX_MESSAGE_BYTES,
    maxWriteBatchSize: 1,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: SESSION_MINUTES,
    connectionId: state.connectionId,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: true,
    // The same for every name, so that it doesn't reveal which users exist.
    ...(request.fields.saslSupportedMechs !== undefined && { saslSupportedMechs: [MECHANISM] }),
  };
}
