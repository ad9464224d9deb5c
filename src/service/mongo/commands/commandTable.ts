import { deserialize, type Document, Long, ObjectId } from 'bson';
import { type DatabaseSignIn, MECHANISM } from '../databaseSignIn';
import { MongoError } from '../mongoError';
import {
  type Command,
  type CommandCall,
  type Commands,
  readCount,
  requireReadings,
  type RunningQuery,
  type UserCall,
  withQuery,
} from './runningQuery';
import {
  batchReply,
  cursorQueries,
  leaseBatchBytes,
  type QueryDependencies,
} from './cursorQueries';
import { explainCommands } from './explain';
import { informationCommands } from './information';
import { statisticsCommands } from './statistics';
import { MAX_MESSAGE_BYTES } from '../messageStream';
import { MAX_DOCUMENT_BYTES } from '../rawBson';
import { countStages, distinctStages, VALUE_FIELD } from '../queryStages';
import type { ReadingsPipelines } from '../readingsDatabase';
import { checkFields, numberField, sessionKey } from '../commandFields';
import type { Cursors } from '../cursors';

export interface CommandDependencies extends QueryDependencies {
  signIn: DatabaseSignIn;
}

/** All supported commands by name. */
export class CommandTable {
  private readonly anonymousCommands: ReadonlyMap<string, Command<CommandCall>>;
  private readonly userCommands: ReadonlyMap<string, Command>;

  constructor(dependencies: CommandDependencies) {
    const { signIn, queries, cursors } = dependencies;
    this.anonymousCommands = new Map(Object.entries(handshakeCommands(signIn)));
    this.userCommands = new Map(
      Object.entries({
        ...informationCommands(queries),
        ...statisticsCommands(queries),
        ...explainCommands(queries),
        ...cursorQueries(dependencies),
        ...cursorCommands(cursors),
        ...valueQueries(queries),
      }),
    );
  }

  /**
   * Returns the command with a given name if it doesn't require a user; otherwise, returns
   * undefined.
   */
  forAnybody(name: string): Command<CommandCall> | undefined {
    return this.anonymousCommands.get(name);
  }

  /** @throws MongoError that explains why the command doesn't exist. */
  forUsers(name: string): Command {
    const command = this.userCommands.get(name);
    if (command === undefined) throw createUnsupportedError(name);
    return command;
  }
}

/**
 * Returns the error for a command that requires a signed-in user but is sent over a connection
 * without one.
 */
export function signInFirst(name: string): MongoError {
  return new MongoError('Unauthorized', `command ${name.slice(0, 100)} requires authentication`);
}

const SESSION_MINUTES = 30;
/** Version number of the wire protocol in MongoDB 7.0. */
const WIRE_VERSION = 21;

/** Returns the commands that a client can use before signing in. */
function handshakeCommands(signIn: DatabaseSignIn): Commands<CommandCall> {
  const serviceId = new ObjectId();
  return {
    hello: (call) => ({ isWritablePrimary: true, ...hello(call, serviceId) }),
    isMaster: (call) => ({ ismaster: true, ...hello(call, serviceId) }),
    ismaster: (call) => ({ ismaster: true, ...hello(call, serviceId) }),
    saslStart: ({ state, request }) => signIn.start(state, request.fields),
    saslContinue: ({ state, request }) => signIn.continue(state, request.fields),
  };
}

function hello({ state, request }: CommandCall, serviceId: ObjectId): Document {
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
    // Behind a load balancer, drivers then use the connection of a cursor for all of its batches,
    // because other connections can reach other nodes, which don't have the cursor.
    ...(request.fields.loadBalanced === true && { serviceId }),
    // The response is the same for every name, so it doesn't reveal which users exist.
    ...(request.fields.saslSupportedMechs !== undefined && { saslSupportedMechs: [MECHANISM] }),
  };
}

/** Returns the commands whose response is a single value or a complete list. */
function valueQueries(queries: ReadingsPipelines): Commands {
  return {
    count: async (call) => {
      requireReadings(call.request);
      const stages = countStages(call.request.fields);
      return { n: await withQuery(queries, call, { stages }, readCount) };
    },
    distinct: (call) => {
      requireReadings(call.request);
      const stages = distinctStages(call.request.fields);
      return withQuery(queries, call, { stages }, readValues);
    },
  };
}

async function readValues(query: RunningQuery): Promise<Document> {
  const values: unknown[] = [];
  let bytes = 0;
  for (let next = await query.next(); next !== undefined; next = await query.next()) {
    bytes += next.byteLength;
    if (bytes > MAX_DOCUMENT_BYTES) {
      throw new MongoError('BSONObjectTooLarge', 'distinct too big, 16mb cap: use aggregate');
    }
    values.push(deserialize(next, { promoteValues: false })[VALUE_FIELD]);
  }
  return { values };
}

const WRITES = [
  ...['insert', 'update', 'delete', 'bulkWrite', 'findAndModify', 'findandmodify', 'mapReduce'],
  ...['create', 'drop', 'dropDatabase', 'createIndexes', 'dropIndexes', 'collMod', 'reIndex'],
  ...['renameCollection', 'convertToCapped', 'cloneCollectionAsCapped', 'compact'],
  ...['createUser', 'updateUser', 'dropUser', 'createRole', 'updateRole', 'dropRole'],
  ...['grantRolesToUser', 'revokeRolesFromUser', 'setParameter', 'shutdown', 'fsync'],
];
/**
 * Commands for operators of MongoDB servers, which don't apply here. They fail with an
 * authorization error, because clients then treat them as not permitted.
 */
const OF_OPERATORS = [
  ...['serverStatus', 'top'],
  ...['getLog', 'getCmdLineOpts', 'currentOp', 'killOp', 'usersInfo', 'rolesInfo', 'validate'],
  ...['profile', 'replSetGetStatus', 'replSetGetConfig', 'listCommands', 'dataSize', 'dbHash'],
  ...['getDefaultRWConcern', 'whatsmyuri', 'connPoolStats', 'listShards', 'killAllSessions'],
];
const TRANSACTIONS = ['commitTransaction', 'abortTransaction'];
const UNOFFERED = ['getnonce', 'startSession', 'refreshSessions', 'killSessions'];

/** Returns an error that explains why a command is not supported. */
function createUnsupportedError(name: string): MongoError {
  if (WRITES.includes(name)) {
    return new MongoError(
      'Unauthorized',
      `not authorized to run ${name}: data is read-only here and written by machines and uploads`,
    );
  }
  if (OF_OPERATORS.includes(name)) {
    return new MongoError('Unauthorized', `not authorized to run ${name}: it is for operators`);
  }
  if (TRANSACTIONS.includes(name)) {
    return new MongoError('IllegalOperation', 'transactions are not supported');
  }
  if (UNOFFERED.includes(name)) {
    return new MongoError('CommandNotSupported', `the command ${name} is not supported`);
  }
  return new MongoError('CommandNotFound', `no such command: '${name.slice(0, 100)}'`);
}

/** Returns the commands for open cursors. */
function cursorCommands(cursors: Cursors): Commands {
  return {
    async getMore({ user, state, request }) {
      requireReadings(request, 'collection');
      const { fields } = request;
      checkFields('getMore', fields, { read: ['collection', 'batchSize'], ignored: ['term'] });
      const id = cursorId(fields.getMore);
      const { documents, isLast } = await cursors.next(user.organizationId, id, {
        documents: numberField(fields, 'batchSize', 0) || Infinity,
        bytes: leaseBatchBytes(state.memory),
      });
      const reply = batchReply('nextBatch', documents, isLast ? 0 : id);
      if (!state.memory.extendTo(reply.byteLength)) {
        // The documents in this batch can't be returned again, because another getMore would return
        // the documents after them.
        await cursors.kill(user.organizationId, id);
        throw new MongoError(
          'ExceededMemoryLimit',
          'the cursor was closed because too many long responses were waiting for their clients: run the query again, or select fewer fields',
        );
      }
      return reply;
    },
    killCursors: (call) => killCursors(cursors, call),
    async endSessions({ user, request: { fields } }) {
      const sessions = listField(fields, 'endSessions').filter((id) => id instanceof Uint8Array);
      await cursors.closeForOrganization(user.organizationId, new Set(sessions.map(sessionKey)));
      return {};
    },
  };
}

async function killCursors(cursors: Cursors, { user, request }: UserCall): Promise<Document> {
  requireReadings(request);
  const cursorsKilled: Long[] = [];
  const cursorsNotFound: Long[] = [];
  for (const value of listField(request.fields, 'cursors')) {
    const id = cursorId(value);
    const list = (await cursors.kill(user.organizationId, id)) ? cursorsKilled : cursorsNotFound;
    list.push(Long.fromNumber(id));
  }
  return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
}

function listField(fields: Document, name: string): unknown[] {
  const value: unknown = fields[name];
  if (!Array.isArray(value)) throw new MongoError('TypeMismatch', `"${name}" must be an array`);
  return value;
}

/** Parses a cursor ID. Numbers that JavaScript can't represent exactly are never cursor IDs. */
function cursorId(value: unknown): number {
  return typeof value === 'number' ? value : Number(value);
}
