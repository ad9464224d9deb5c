import type { Document } from 'bson';
import { MECHANISM, type DatabaseSignIn } from '../databaseSignIn';
import { MAX_MESSAGE_BYTES } from '../messageStream';
import { MAX_DOCUMENT_BYTES } from '../rawBson';
import type { CommandCall, Commands } from './command';

const SESSION_MINUTES = 30;
/** Version number of the wire protocol in MongoDB 7.0. */
const WIRE_VERSION = 21;

/** Returns the commands that a client can use before signing in. */
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
    // Maximum document size. Drivers split longer documents, which the service doesn't accept.
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    maxMessageSizeBytes: MAX_MESSAGE_BYTES,
    maxWriteBatchSize: 1,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: SESSION_MINUTES,
    connectionId: state.connectionId,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: true,
    // The response is the same for every name, so it doesn't reveal which users exist.
    ...(request.fields.saslSupportedMechs !== undefined && { saslSupportedMechs: [MECHANISM] }),
  };
}
