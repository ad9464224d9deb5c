import assert from 'node:assert/strict';
import {
  FairBudget,
  type FairCaller,
  type Holder,
  type Reservation,
} from '../../../../src/service/server/fairBudget';
import { waitUntil } from '../../../support/waitUntil';

describe('FairBudget', () => {
  const { signal } = new AbortController();
  const LONG_MS = 600_000;
  let budget: FairBudget;
  let granted: string[];

  beforeEach(() => {
    budget = new FairBudget({ capacity: 100, maxWaitMs: LONG_MS, reclaimAfterMs: LONG_MS });
    granted = [];
  });

  async function reserve(amount: number, caller: string): Promise<Reservation> {
    return reserveFor(amount, [caller]);
  }

  async function reserveFor(amount: number, caller: FairCaller): Promise<Reservation> {
    const reservation = await budget.reserve(amount, caller, signal);
    assert.ok(reservation);
    granted.push(caller.join(' '));
    return reservation;
  }

  const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('grants waiting amounts in the order of requests', async () => {
    const first = await reserve(80, 'a');
    const large = reserve(60, 'b');
    const small = reserve(10, 'c');
    await yieldToEventLoop();
    assert.deepEqual(granted, ['a']);
    assert.equal(budget.tryReserve(1, ['d']), undefined);
    first.release();
    await Promise.all([large, small]);
    assert.deepEqual(granted, ['a', 'b', 'c']);
  });

  it('reserves half of the capacity for callers other than one that already has some', async () => {
    const own = await reserve(40, 'a');
    const more = reserve(20, 'a');
    await reserve(30, 'b');
    await yieldToEventLoop();
    assert.deepEqual(granted, ['a', 'b']);
    own.release();
    await more;
  });

  it('grants first to the caller with the least', async () => {
    await reserve(40, 'a');
    const other = await reserve(60, 'b');
    const more = reserve(10, 'a');
    const first = reserve(10, 'c');
    other.shrinkTo(50);
    await first;
    assert.deepEqual(granted, ['a', 'b', 'c']);
    other.release();
    await more;
  });

  it('grants first to the caller whose organization has the least', async () => {
    const first = await reserveFor(50, ['address', 'acme', 'key 1']);
    await reserveFor(50, ['address', 'acme', 'key 2']);
    const same = reserveFor(50, ['address', 'acme', 'key 3']);
    const other = reserveFor(50, ['address', 'globex', 'key 4']);
    first.release();
    const otherReservation = await other;
    assert.deepEqual(granted.slice(2), ['address globex key 4']);
    otherReservation.release();
    await same;
  });

  it('grants first to the caller whose address has the least', async () => {
    const first = await reserveFor(50, ['address 1', 'acme', 'key 1']);
    await reserveFor(50, ['address 1', 'globex', 'key 2']);
    const same = reserveFor(50, ['address 1', 'initech', 'key 3']);
    const other = reserveFor(50, ['address 2', 'umbrella', 'key 4']);
    first.release();
    const otherReservation = await other;
    assert.deepEqual(granted.slice(2), ['address 2 umbrella key 4']);
    otherReservation.release();
    await same;
  });

  it('grants the whole capacity to several keys of one organization', async () => {
    await reserveFor(50, ['address', 'acme', 'key 1']);
    await reserveFor(50, ['address', 'acme', 'key 2']);
  });

  describe('while others wait', () => {
    let gaveUp: string[];
    let estimates: number;

    beforeEach(() => {
      budget = new FairBudget({ capacity: 100, maxWaitMs: LONG_MS, reclaimAfterMs: 1 });
      gaveUp = [];
      estimates = 0;
    });

    async function hold(
      amount: number,
      caller: string,
      estimate: number | undefined,
    ): Promise<Reservation> {
      const holder: Holder = {
        estimateWaitMs: () => {
          estimates += 1;
          return estimate;
        },
        onReclaimed: () => void gaveUp.push(caller),
      };
      const reservation = await budget.reserve(amount, [caller], signal, holder);
      assert.ok(reservation);
      return reservation;
    }

    it('reclaims amounts from the slowest clients, and no more than needed', async () => {
      await hold(20, 'busy', undefined);
      await hold(30, 'fast', 10);
      await hold(30, 'slow', Infinity);
      await hold(20, 'slower than fast', 20);
      await reserve(40, 'a');
      assert.deepEqual(gaveUp, ['slow', 'slower than fast']);
      assert.equal(budget.tryReserve(11, ['b']), undefined);
      assert.ok(budget.tryReserve(10, ['b']));
    });

    it('never queries holders without an amount, such as a released empty message', async () => {
      let emptyEstimates = 0;
      const holder: Holder = {
        estimateWaitMs: () => {
          emptyEstimates += 1;
          return 0;
        },
        onReclaimed: () => void gaveUp.push('empty'),
      };
      const empty = await budget.reserve(0, ['empty'], signal, holder);
      empty?.release();
      const busy = await hold(100, 'busy', undefined);
      const waiting = reserve(50, 'a');
      await waitUntil(() => estimates > 0);
      assert.equal(emptyEstimates, 0);
      busy.release();
      await waiting;
    });

    it('reclaims nothing that does not help', async () => {
      const busy = await hold(60, 'busy', undefined);
      await hold(40, 'slow', Infinity);
      const waiting = reserve(50, 'a');
      await waitUntil(() => estimates > 10);
      assert.deepEqual(gaveUp, []);
      busy.release();
      await waiting;
    });
  });

  it('returns the unused amount of a reservation once', async () => {
    const reservation = await reserve(100, 'a');
    reservation.shrinkTo(10);
    await reserve(90, 'b');
    reservation.release();
    reservation.release();
    assert.equal(budget.tryReserve(11, ['c']), undefined);
    assert.ok(budget.tryReserve(10, ['c']));
  });

  it('grants more than the capacity when nothing else is reserved', async () => {
    await reserve(1_000, 'a');
  });

  it('stops waiting after its timeout and when the signal aborts, and serves others', async () => {
    const brief = new FairBudget({ capacity: 100, maxWaitMs: 1, reclaimAfterMs: LONG_MS });
    assert.ok(await brief.reserve(100, ['a'], signal));
    assert.equal(await brief.reserve(1, ['b'], signal), undefined);

    const controller = new AbortController();
    await reserve(50, 'a');
    const aborted = budget.reserve(60, ['b'], controller.signal);
    const behind = reserve(20, 'c');
    controller.abort(new Error('left'));
    await assert.rejects(aborted, /left/);
    await behind;
    await assert.rejects(budget.reserve(1, ['d'], controller.signal), /left/);
  });
});
