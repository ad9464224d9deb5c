import assert from 'node:assert/strict';
import { Code, ConnectError } from '@connectrpc/connect';
import { MongoError, toMongoError } from '../../../../src/service/mongo/mongoError';

describe('errors for MongoDB clients', () => {
  const toErrorReply = (error: unknown): [number, string, string] => {
    const { code, codeName, message } = toMongoError(error, () => 'internal error (ID 1)');
    return [code, codeName, message];
  };

  it('preserve the messages of queries, with a code that clients know', () => {
    assert.deepEqual(toErrorReply(new ConnectError('mend $x', Code.InvalidArgument)), [
      2,
      'BadValue',
      'mend $x',
    ]);
    assert.deepEqual(toErrorReply(new ConnectError('too long', Code.DeadlineExceeded)), [
      50,
      'MaxTimeMSExpired',
      'too long',
    ]);
    const own = new MongoError('CursorNotFound', 'cursor id 7 not found');
    assert.deepEqual(toErrorReply(own), [43, 'CursorNotFound', 'cursor id 7 not found']);
  });

  it('report an unavailable store, and only an ID for unexpected errors', () => {
    const lost = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7'), {
      code: 'ECONNREFUSED',
    });
    assert.match(toErrorReply(lost)[2], /can't reach its database/);
    const secret = new TypeError('secret is undefined');
    assert.deepEqual(toErrorReply(secret), [8, 'UnknownError', 'internal error (ID 1)']);
    assert.deepEqual(toErrorReply(new ConnectError('secret', Code.Internal)), [
      8,
      'UnknownError',
      'internal error (ID 1)',
    ]);
  });
});
