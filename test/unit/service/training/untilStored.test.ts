import assert from 'node:assert/strict';
import { Code, ConnectError } from '@connectrpc/connect';
import { retryWhileUnavailable } from '../../../../src/service/training/trainingLog';
import { silentLogger } from '../../../support/silentLogger';

describe('retryWhileUnavailable', () => {
  const stop = new Error('the service stops');
  const busy = (): Error => Object.assign(new Error('database is locked'), { errcode: 5 });
  const full = (): Error => Object.assign(new Error('no space'), { code: 'ENOSPC' });
  let tries = 0;

  beforeEach(() => {
    tries = 0;
  });

  /** Returns a function that fails once with each given error and then succeeds. */
  const write = (...failures: Error[]) => {
    const left = failures.values();
    return (): Promise<string> => {
      tries += 1;
      const { value: failure } = left.next();
      return failure ? Promise.reject(failure) : Promise.resolve('written');
    };
  };
  const stored = (failures: Error[], waitsForRoom = false, signal = new AbortController().signal) =>
    retryWhileUnavailable(write(...failures), { signal, logger: silentLogger, waitsForRoom });

  it('retries while the store is busy', async () => {
    assert.equal(await stored([busy()]), 'written');
    assert.equal(tries, 2);
  });

  it('waits for disk space on request', async () => {
    assert.equal(await stored([full()], true), 'written');
    await assert.rejects(stored([full()]), /no space/);
  });

  it('does not retry rejected writes', async () => {
    await assert.rejects(stored([new ConnectError('no', Code.AlreadyExists)]), /no/);
    assert.equal(tries, 1);
  });

  it('writes exactly once after its signal has aborted', async () => {
    assert.equal(await stored([], false, AbortSignal.abort(stop)), 'written');
    await assert.rejects(stored([busy()], false, AbortSignal.abort(stop)), stop);
    assert.equal(tries, 2);
  });
});
