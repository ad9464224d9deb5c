import { BSONRegExp, deserialize, type Document } from 'bson';
import { documentField } from '../commandFields';
import { ADMIN_DATABASE, COLLECTION, DATABASE, NAMESPACE } from '../databaseNames';
import { MongoError } from '../mongoError';
import { MAX_DOCUMENT_BYTES } from '../rawBson';
import type { Commands, UserCall } from './command';
import { requireReadings } from './requireReadings';

/** The newest MongoDB whose protocol is spoken. */
const VERSION = [7, 0, 0, 0] as const;
const FEATURES = '7.0';
const MOST_PATTERN_LETTERS = 100;
const MOST_REPEATS = 2;
const READ_ACTIONS = ['collStats', 'find', 'listCollections', 'listIndexes'];

/** What clients ask about the server, and about what they may read. */
export const INFORMATION_COMMANDS: Commands = {
  ping: () => ({}),
  buildInfo,
  buildinfo: buildInfo,
  connectionStatus,
  getParameter,
  listDatabases,
  listCollections,
  listIndexes,
  logout: ({ state }) => {
    state.user = undefined;
    return {};
  },
};

function buildInfo(): Document {
  return {
    version: VERSION.slice(0, 3).join('.'),
    versionArray: [...VERSION],
    gitVersion: '',
    modules: [],
    bits: 64,
    debug: false,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
  };
}

function connectionStatus({ user, request }: UserCall): Document {
  const resource = { db: DATABASE, collection: COLLECTION };
  return {
    authInfo: {
      authenticatedUsers: [{ user: user.name, db: ADMIN_DATABASE }],
      authenticatedUserRoles: [{ role: 'read', db: DATABASE }],
      ...(request.fields.showPrivileges === true && {
        authenticatedUserPrivileges: [{ resource, actions: READ_ACTIONS }],
      }),
    },
  };
}

function getParameter({ request: { fields } }: UserCall): Document {
  if (fields.featureCompatibilityVersion === undefined) {
    throw new MongoError('InvalidOptions', 'no option found to get');
  }
  return { featureCompatibilityVersion: { version: FEATURES } };
}

function listDatabases({ request: { fields } }: UserCall): Document {
  const entry = { name: DATABASE, sizeOnDisk: 0, empty: false };
  const databases = matches(fields, entry) ? [entry] : [];
  return fields.nameOnly === true
    ? { databases: databases.map(({ name }) => ({ name })) }
    : { databases, totalSize: 0, totalSizeMb: 0 };
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

/** Whether an entry passes the filter of a list, which may ask for its name and type. */
function matches(fields: Document, entry: Readonly<Record<string, unknown>>): boolean {
  const filter = documentField(fields, 'filter');
  const wanted = filter === undefined ? {} : deserialize(filter, { bsonRegExp: true });
  return Object.entries(wanted).every(([name, condition]: [string, unknown]) => {
    const value = entry[name];
    const pattern = patternOf(condition);
    if (typeof value !== 'string' || (typeof condition !== 'string' && pattern === undefined)) {
      throw new MongoError('BadValue', 'filters of lists may ask for a name or a pattern of names');
    }
    return pattern === undefined ? value === condition : pattern.test(value);
  });
}

function patternOf(condition: unknown): RegExp | undefined {
  const source = isPatternDocument(condition) ? condition.$regex : condition;
  if (source instanceof BSONRegExp) {
    return compile(source.pattern);
  }
  return source !== condition && typeof source === 'string' ? compile(source) : undefined;
}

function isPatternDocument(condition: unknown): condition is { $regex: unknown } {
  return typeof condition === 'object' && condition !== null && '$regex' in condition;
}

/** It runs in the service itself, where one that takes long would keep all others waiting. */
function compile(pattern: string): RegExp {
  const repeats = [...pattern.matchAll(/[*+{]|(?<!\()\?/g)].map(([sign]) => sign);
  if (
    pattern.length > MOST_PATTERN_LETTERS ||
    repeats.length > MOST_REPEATS ||
    repeats.includes('{')
  ) {
    throw new MongoError('BadValue', 'the pattern of names is too long, or repeats too much');
  }
  try {
    return new RegExp(pattern, 'u');
  } catch {
    throw new MongoError('BadValue', 'the pattern of names cannot be read');
  }
}
