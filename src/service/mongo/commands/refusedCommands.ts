import { MongoError } from '../mongoError';

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
export function createUnsupportedError(name: string): MongoError {
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
