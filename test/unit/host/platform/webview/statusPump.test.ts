import assert from 'node:assert/strict';
import { StatusPump } from '../../../../../src/host/platform/webview/webviewDispatcher';

describe('StatusPump', () => {
  let published: string[];
  let wake: () => void;
  let pump: StatusPump<string>;

  beforeEach(() => {
    published = [];
    const sleep = (): Promise<void> => new Promise((resolve) => (wake = resolve));
    pump = new StatusPump(sleep, (changed) => published.push(changed));
  });

  /** Ends the last pause and lets all work that waits for it run. */
  async function rest(): Promise<void> {
    wake();
    await new Promise((resolve) => setImmediate(resolve));
  }

  it('sends the first change immediately, and later ones together', async () => {
    pump.request('a');
    for (let times = 0; times < 5; times += 1) pump.request('a');
    assert.deepEqual(published, ['a']);
    await rest();
    assert.deepEqual(published, ['a', 'a']);
    await rest();
    assert.deepEqual(published, ['a', 'a']);
    pump.request('a');
    assert.deepEqual(published, ['a', 'a', 'a']);
  });

  it('does not delay one key for another', () => {
    pump.request('a');
    pump.request('b');
    assert.deepEqual(published, ['a', 'b']);
  });

  it('sends nothing after its disposal', async () => {
    pump.request('a');
    pump.request('a');
    pump.dispose();
    await rest();
    pump.request('b');
    assert.deepEqual(published, ['a']);
  });
});
