import { MongoError } from '../mongoError';

const WRITES = [
  ...['insert', 'update', 'delete', 'bulkWrite', 'findAndModify', 'findandmodify', 'mapReduce'],
  ...['create', 'drop', 'dropDatabase', 'createIndexes', 'dropIndexes', 'collMod', 'reIndex'],
  ...['renameCollection', 'convertToCapped', 'cloneCollectionAsCapped', 'compact'],
  ...['createUser', 'updateUser', 'dropUser', 'createRole', 'updateRole', 'dropRole'],
  ...['grantRolesToUser', 'revokeRolesFromUser', 'setParameter', 'shutdown', 'fsync'],
];
/** What MongoDB has and this is not: clients take a refusal for a user who may not. */
const OF_OPERATORS = [
  ...['serverStatus', 'top'],
  ...['getLog', 'getCmdLineOpts', 'currentOp', 'killOp', 'usersInfo', 'rolesInfo', 'validate'],
  ...['profile', 'replSetGetStatus', 'replSetGetConfig', 'listCommands', 'dataSize', 'dbHash'],
  ...['getDefaultRWConcern', 'whatsmyuri', 'connPoolStats', 'listShards', 'killAllSessions'],
];
const TRANSACTIONS = ['commitTransaction', 'abortTransaction'];
const UNOFFERED = ['getnonce', 'startSession', 'refreshSessions', 'killSessions'];

/** Why a command that is not served is refused. */
export function refusal(name: string): MongoError {
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
