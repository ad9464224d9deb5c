import assert from 'node:assert/strict';
import type { LogChange } from '../../../../../src/shared/logs';
import { ChangePump } from '../../../../../src/host/features/logs/changePump';

const CHANGE: Omit<LogChange, 'revision'> = {
  first: 0,
  end: 0,
  moves: [],
  reset: false,
  counts: { buffered: 0, limit: 1, dropped: 0, missed: 0, waiting: 0 },
  paused: false,
  filtering: false,
  loadingOlder: false,
  hasOlder: false,
};

describe('ChangePump', () => {
  let pump: ChangePump;
  let sent: LogChange[];
  let rests: { readonly milliseconds: number; readonly wake: () => void }[];

  beforeEach(() => {
    [sent, rests] = [[], []];
    pump = new ChangePump({
      take: (reset) => ({ ...CHANGE, reset }),
      send: (change) => sent.push(change),
      sleep: (milliseconds, signal) =>
        new Promise((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
          rests.push({ milliseconds, wake: resolve });
        }),
    });
  });

  afterEach(() => {
    pump.dispose();
  });

  async function rested(): Promise<void> {
    rests.shift()?.wake();
    await Promise.resolve();
  }

  const revisions = (): readonly number[] => sent.map(({ revision }) => revision);

  it('sends nothing without a page', () => {
    pump.request();
    assert.deepEqual(sent, []);
  });

  it('begins with the full state, after the page has received its response', async () => {
    pump.start();
    assert.deepEqual(sent, []);
    await rested();
    assert.deepEqual(
      sent.map(({ revision, reset }) => ({ revision, reset })),
      [{ revision: 1, reset: true }],
    );
  });

  it('combines changes until the page has rendered the last one', async () => {
    pump.start();
    await rested();
    await rested();
    for (let n = 0; n < 1_000; n += 1) pump.request();
    assert.deepEqual(revisions(), [1]);
    pump.drawn(1);
    assert.deepEqual(revisions(), [1, 2]);
    assert.equal(sent.at(-1)?.reset, false);
    pump.drawn(2);
    await rested();
    assert.deepEqual(revisions(), [1, 2]);
  });

  it('sends at most 15 changes per second to a page that renders fast', async () => {
    pump.start();
    await rested();
    pump.drawn(1);
    pump.request();
    assert.deepEqual(revisions(), [1]);
    const [rest] = rests;
    assert.ok(rest && rest.milliseconds >= 1_000 / 15 - 1, String(rest?.milliseconds));
    await rested();
    assert.deepEqual(revisions(), [1, 2]);
  });

  it('sends pending changes before rows are referenced by index', async () => {
    pump.start();
    await rested();
    pump.request();
    assert.deepEqual(revisions(), [1]);
    pump.flush();
    assert.deepEqual(revisions(), [1, 2]);
    // No other response can overtake the current one, regardless of what was drawn.
    pump.flush();
    pump.drawn(2);
    pump.request();
    assert.deepEqual(revisions(), [1, 2]);
    while (rests.length > 0) await rested();
    assert.deepEqual(revisions(), [1, 2, 3]);
  });

  it('starts over for a reloaded page, regardless of what the previous one rendered', async () => {
    pump.start();
    await rested();
    pump.stop();
    pump.request();
    pump.start();
    rests.shift();
    await rested();
    assert.deepEqual(revisions(), [1, 2]);
    assert.equal(sent.at(-1)?.reset, true);
    pump.drawn(1);
    pump.request();
    await rested();
    assert.deepEqual(revisions(), [1, 2]);
    pump.drawn(2);
    assert.deepEqual(revisions(), [1, 2, 3]);
  });

  it('does not start after its disposal', () => {
    pump.dispose();
    pump.start();
    assert.deepEqual(rests, []);
  });
});
