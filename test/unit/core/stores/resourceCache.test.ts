import assert from 'node:assert/strict';
import { ResourceCache } from '../../../../src/core/stores/resourceCache';

interface Question {
  readonly signal: AbortSignal;
  answer(value: string): void;
  fail(error: Error): void;
}

function questions(): { requests: Question[]; load: (signal: AbortSignal) => Promise<string> } {
  const requests: Question[] = [];
  return {
    requests,
    load: (signal) =>
      new Promise((answer, fail) => {
        requests.push({ signal, answer, fail });
      }),
  };
}

function only(requests: readonly Question[]): Question {
  assert.equal(requests.length, 1);
  const [question] = requests;
  assert.ok(question);
  return question;
}

describe('ResourceCache', () => {
  it('makes one call for concurrent readers, and caches the response', async () => {
    const cache = new ResourceCache<string, string>();
    const { requests, load } = questions();
    const both = Promise.all([cache.get('a', load), cache.get('a', load)]);
    only(requests).answer('x');
    assert.deepEqual(await both, ['x', 'x']);
    assert.equal(await cache.get('a', load), 'x');
    assert.equal(requests.length, 1);
  });

  it('retries after a failure', async () => {
    const cache = new ResourceCache<string, string>();
    const { requests, load } = questions();
    const first = cache.get('a', load);
    only(requests).fail(new Error('down'));
    await assert.rejects(first, /down/);
    const second = cache.get('a', load);
    requests[1]?.answer('x');
    assert.equal(await second, 'x');
  });

  it('makes a new call for a fresh read', async () => {
    const cache = new ResourceCache<string, string>();
    const { requests, load } = questions();
    const old = cache.get('a', load);
    const fresh = cache.get('a', load, { fresh: true });
    requests[1]?.answer('new');
    requests[0]?.answer('old');
    assert.deepEqual(await Promise.all([old, fresh]), ['old', 'new']);
    assert.equal(cache.peek('a'), 'new');
  });

  it('does not cache a response from before an invalidation', async () => {
    const cache = new ResourceCache<string, string>();
    const { requests, load } = questions();
    const reading = cache.get('a', load);
    cache.invalidate('a');
    only(requests).answer('stale');
    assert.equal(await reading, 'stale');
    assert.equal(cache.peek('a'), undefined);
  });

  it('aborts the request when the last reader cancels, not before', async () => {
    const cache = new ResourceCache<string, string>();
    const { requests, load } = questions();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = cache.get('a', load, { signal: one.signal });
    const second = cache.get('a', load, { signal: two.signal });
    one.abort(new Error('one left'));
    await assert.rejects(first, /one left/);
    assert.equal(only(requests).signal.aborted, false);
    two.abort(new Error('two left'));
    await assert.rejects(second, /two left/);
    assert.equal(only(requests).signal.aborted, true);
  });
});
