import { BSONRegExp, deserialize, type Document } from 'bson';
import { documentField } from '../commandFields';
import {
  ADMIN_DATABASE,
  COLLECTION,
  DATABASE,
  NAMESPACE,
  type ReadingsPipelines,
} from '../readingsDatabase';
import { MongoError } from '../mongoError';
import { MAX_DOCUMENT_BYTES } from '../rawBson';
import { type Commands, requireReadings, type UserCall } from './runningQuery';

/** Newest MongoDB version whose protocol is supported. */
export const VERSION = '7.0.0';
const VERSION_NUMBERS = [7, 0, 0, 0];
const FEATURES = '7.0';
const MEBIBYTE = 1024 * 1024;
const MAX_PATTERN_CHARS = 100;
const MAX_REPEATS = 2;
const COLLECTION_ACTIONS = ['collStats', 'find', 'indexStats', 'listIndexes'];
const DATABASE_ACTIONS = ['dbStats', 'listCollections'];

/**
 * Returns the commands that provide information about the server and about the data that its users
 * can read.
 */
export function informationCommands(queries: ReadingsPipelines): Commands {
  return {
    ping: () => ({}),
    buildInfo,
    buildinfo: buildInfo,
    connectionStatus,
    hostInfo,
    hostinfo: hostInfo,
    getParameter,
    listDatabases: async (call) => listDatabases(queries, call),
    listCollections,
    listIndexes,
    logout: ({ state }) => {
      state.user = undefined;
      return {};
    },
  };
}

function buildInfo(): Document {
  return {
    version: VERSION,
    versionArray: VERSION_NUMBERS,
    gitVersion: '',
    modules: [],
    bits: 64,
    debug: false,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
  };
}

function connectionStatus({ user, request }: UserCall): Document {
  const privileges = [
    { resource: { db: DATABASE, collection: COLLECTION }, actions: COLLECTION_ACTIONS },
    { resource: { db: DATABASE, collection: '' }, actions: DATABASE_ACTIONS },
  ];
  return {
    authInfo: {
      authenticatedUsers: [{ user: user.name, db: ADMIN_DATABASE }],
      authenticatedUserRoles: [{ role: 'read', db: DATABASE }],
      ...(request.fields.showPrivileges === true && {
        authenticatedUserPrivileges: privileges,
      }),
    },
  };
}

/**
 * Clients send this command when they connect. The response reveals nothing about the service's
 * host.
 */
function hostInfo(): Document {
  return { system: { currentTime: new Date(), cpuAddrSize: 64 }, os: {}, extra: {} };
}

function getParameter({ request: { fields } }: UserCall): Document {
  if (fields.featureCompatibilityVersion === undefined) {
    throw new MongoError('InvalidOptions', 'no option found to get');
  }
  return { featureCompatibilityVersion: { version: FEATURES } };
}

async function listDatabases(
  queries: ReadingsPipelines,
  { user, request: { fields } }: UserCall,
): Promise<Document> {
  const isListed = matches(fields, { name: DATABASE });
  if (fields.nameOnly === true) return { databases: isListed ? [{ name: DATABASE }] : [] };
  const totalSize = isListed ? await queries.getStoredBytes(user.organizationId) : 0;
  const entry = { name: DATABASE, sizeOnDisk: totalSize, empty: false };
  return {
    databases: isListed ? [entry] : [],
    totalSize,
    totalSizeMb: Math.floor(totalSize / MEBIBYTE),
  };
}

function listCollections({ request: { fields, database } }: UserCall): Document {
  const entry = { name: COLLECTION, type: 'collection' };
  const entries = database === DATABASE && matches(fields, entry) ? [entry] : [];
  const details = { options: {}, info: { readOnly: true } };
  return {
    cursor: {
      id: 0n,
      ns: `${database}.$cmd.listCollections`,
      firstBatch:
        fields.nameOnly === true ? entries : entries.map((found) => ({ ...found, ...details })),
    },
  };
}

function listIndexes({ request }: UserCall): Document {
  requireReadings(request);
  return { cursor: { id: 0n, ns: NAMESPACE, firstBatch: [] } };
}

/**
 * Returns true if an entry matches a list command's filter. The filter can specify the name and
 * type.
 */
function matches(fields: Document, entry: Readonly<Record<string, unknown>>): boolean {
  const filter = documentField(fields, 'filter');
  const conditions = filter === undefined ? {} : deserialize(filter, { bsonRegExp: true });
  return Object.entries(conditions).every(([name, condition]: [string, unknown]) => {
    const value = entry[name];
    const pattern = parsePattern(condition);
    if (typeof value !== 'string' || (typeof condition !== 'string' && pattern === undefined)) {
      throw new MongoError('BadValue', 'filters of lists can contain a name or a pattern of names');
    }
    return pattern === undefined ? value === condition : pattern.test(value);
  });
}

function parsePattern(condition: unknown): RegExp | undefined {
  const source = isPatternDocument(condition) ? condition.$regex : condition;
  if (source instanceof BSONRegExp) return compile(source.pattern);
  return source !== condition && typeof source === 'string' ? compile(source) : undefined;
}

function isPatternDocument(condition: unknown): condition is { $regex: unknown } {
  return typeof condition === 'object' && condition !== null && '$regex' in condition;
}

/**
 * Compiles a pattern. Rejects complex patterns, because patterns run in the service process, where
 * a slow pattern would block all other work.
 */
function compile(pattern: string): RegExp {
  const repeats = [...pattern.matchAll(/[*+{]|(?<!\()\?/g)].map(([sign]) => sign);
  if (pattern.length > MAX_PATTERN_CHARS || repeats.length > MAX_REPEATS || repeats.includes('{')) {
    throw new MongoError(
      'BadValue',
      'the pattern of names is too long, or has too many repetitions',
    );
  }
  try {
    return new RegExp(pattern, 'u');
  } catch {
    throw new MongoError('BadValue', 'the pattern of names is not valid');
  }
}
