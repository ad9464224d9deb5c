import assert from 'node:assert/strict';
import { Code, ConnectError } from '@connectrpc/connect';
import { isDiskFull } from '../../../../src/service/store/storeErrors';

describe('isDiskFull', () => {
  const fail = (fields: object, cause?: unknown): Error =>
    Object.assign(new Error('failed', { cause }), fields);

  it('recognizes the errors of SQLite, PostgreSQL, and the file system', () => {
    const codes = [
      { errcode: 13, code: 'ERR_SQLITE_ERROR' },
      { code: '53100' },
      { code: 'ENOSPC' },
    ];
    for (const fields of [...codes, { code: 'EDQUOT' }]) {
      assert.ok(isDiskFull(fail(fields)), JSON.stringify(fields));
      assert.ok(isDiskFull(fail({}, fail(fields))), `cause ${JSON.stringify(fields)}`);
    }
  });

  it('does not mistake the numeric code of a ConnectError for one of SQLite', () => {
    assert.equal(isDiskFull(new ConnectError('x', Code.Internal)), false);
    assert.equal(isDiskFull(fail({}, new ConnectError('x', Code.Internal))), false);
  });

  it('finds a full disk as the cause of a ConnectError', () => {
    const cause = fail({ errcode: 13 });
    assert.ok(isDiskFull(new ConnectError('x', Code.Internal, undefined, undefined, cause)));
  });

  it('is false for other errors', () => {
    for (const error of [fail({ errcode: 5 }), fail({ code: 'ENOENT' }), fail({}), undefined, 13]) {
      assert.equal(isDiskFull(error), false);
    }
  });
});
