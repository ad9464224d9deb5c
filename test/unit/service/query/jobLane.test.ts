import assert from 'node:assert/strict';
import { Code, ConnectError } from '@connectrpc/connect';
import { RetryInfoSchema } from '../../../../src/gen/google/rpc/error_details_pb';
import { JobLane } from '../../../../src/service/query/queryProcesses';

describe('JobLane', () => {
  it('admits owners in turn, and the jobs of one owner in order', async () => {
    const lane = new JobLane({ width: 1, widthForOne: 1, maxWaiting: 8 });
    const leave = await lane.enter('a');
    const order: string[] = [];
    const jobs = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(async (name) => {
      const done = await lane.enter(name.charAt(0));
      order.push(name);
      done();
    });
    leave();
    await Promise.all(jobs);
    assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('rejects jobs when too many are waiting, and reserves slots for other owners', async () => {
    const lane = new JobLane({ width: 1, widthForOne: 1, maxWaiting: 4 });
    const leave = await lane.enter('a');
    const waiting = [lane.enter('a'), lane.enter('a')];
    const isRejection = (error: unknown) =>
      error instanceof ConnectError && error.code === Code.ResourceExhausted;
    await assert.rejects(lane.enter('a'), isRejection);
    waiting.push(lane.enter('b'), lane.enter('c'));
    await assert.rejects(lane.enter('d'), isRejection);
    leave();
    await Promise.all(waiting.map(async (entered) => (await entered)()));
    (await lane.enter('d'))();
  });

  it('tells rejected callers when to try again', async () => {
    const lane = new JobLane({ width: 1, widthForOne: 1, maxWaiting: 2 });
    await lane.enter('a');
    void lane.enter('b');
    const error = await lane.enter('b').catch((reason: unknown) => ConnectError.from(reason));
    assert.ok(error instanceof ConnectError && error.code === Code.ResourceExhausted);
    assert.equal(error.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds, 10n);
  });

  it('removes canceled jobs', async () => {
    const lane = new JobLane({ width: 1, widthForOne: 1, maxWaiting: 2 });
    const leave = await lane.enter('a');
    const caller = new AbortController();
    const gone = lane.enter('b', caller.signal);
    caller.abort(new Error('gone'));
    await assert.rejects(gone, /gone/);
    await assert.rejects(lane.enter('b', caller.signal), /gone/);
    const next = lane.enter('c');
    leave();
    // Leaving twice must not free a second slot.
    leave();
    const done = await next;
    const last = lane.enter('c');
    done();
    (await last)();
  });

  it('leaves a slot to owners other than the one with the most jobs', async () => {
    const lane = new JobLane({ width: 3, widthForOne: 2, maxWaiting: 8 });
    const [first, second] = [await lane.enter('a'), await lane.enter('a')];
    const order: string[] = [];
    const third = lane.enter('a').then((leave) => {
      order.push('a');
      return leave;
    });
    const other = await lane.enter('b');
    const others = lane.enter('b').then((leave) => {
      order.push('b');
      return leave;
    });
    other();
    (await others)();
    assert.deepEqual(order, ['b']);
    first();
    (await third)();
    second();
    assert.deepEqual(order, ['b', 'a']);
  });
});
