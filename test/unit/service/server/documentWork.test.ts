import assert from 'node:assert/strict';
import { createClient, createRouterTransport } from '@connectrpc/connect';
import { yieldToEventLoop } from '../../../../src/base/slices';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import { DocumentWork } from '../../../../src/service/server/documentWork';
import { waitUntil } from '../../../support/waitUntil';

const CALLS = 50;
const LONG_TURN_MS = 40;
/** Twice this size is still small. */
const SMALL_BYTES = 8 * 1024;
/** Only twice this size is large. */
const LARGE_BYTES = 9 * 1024;

describe('DocumentWork', () => {
  const { signal } = new AbortController();
  let work: DocumentWork;
  let notes: string[];

  beforeEach(() => {
    work = new DocumentWork({ sliceMs: 0 });
    notes = [];
  });

  /** Runs a large piece of work that ends when `end` resolves. */
  function runLarge(caller: string, end: Promise<unknown>): Promise<void> {
    return work.runLarge({ caller: [caller], signal }, async () => {
      notes.push(`begin ${caller}`);
      await end;
      notes.push(`end ${caller}`);
    });
  }

  const waitForNotes = (count: number): Promise<void> => waitUntil(() => notes.length >= count);

  it('runs two large tasks of different callers at a time', async () => {
    const ends = Array.from({ length: 3 }, () => Promise.withResolvers<undefined>());
    const all = ends.map(({ promise }, index) => runLarge(`caller ${index}`, promise));
    await waitForNotes(2);
    for (let turn = 0; turn < CALLS; turn += 1) await yieldToEventLoop();
    assert.deepEqual(notes, ['begin caller 0', 'begin caller 1']);
    ends[1]?.resolve(undefined);
    await waitForNotes(4);
    assert.deepEqual(notes.slice(2), ['end caller 1', 'begin caller 2']);
    for (const { resolve } of ends) resolve(undefined);
    await Promise.all(all);
  });

  it('leaves a slot to others when a caller has many large tasks', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const many = Array.from({ length: CALLS }, () => runLarge('hostile', promise));
    await waitForNotes(1);
    await runLarge('other', Promise.resolve());
    assert.deepEqual(notes, ['begin hostile', 'begin other', 'end other']);
    resolve(undefined);
    await Promise.all(many);
  });

  it('runs the next large task when one fails or is aborted before it begins', async () => {
    const aborted = new AbortController();
    const end = Promise.withResolvers<undefined>();
    const first = runLarge('a', end.promise);
    const second = work.runLarge({ caller: ['a'], signal: aborted.signal }, () =>
      Promise.resolve('never'),
    );
    const third = work.runLarge({ caller: ['a'], signal }, () => Promise.resolve('third'));
    await waitForNotes(1);
    const rejections = Promise.all([
      assert.rejects(first, /failed/),
      assert.rejects(second, { name: 'AbortError' }),
    ]);
    aborted.abort();
    end.reject(new Error('failed'));
    await rejections;
    assert.equal(await third, 'third');
  });

  it('stops between two slices when the signal aborts', async () => {
    const controller = new AbortController();
    const steps = (function* (): Generator<undefined, void, void> {
      for (;;) yield;
    })();
    const running = work.runLarge({ caller: ['a'], signal: controller.signal }, async (run) =>
      run(steps),
    );
    await yieldToEventLoop();
    controller.abort();
    await assert.rejects(running, { name: 'AbortError' });
  });

  it('rests before the next large task, depending on the longest ticks, while there are small calls', async () => {
    work = new DocumentWork();
    const router = createRouterTransport(
      ({ service }) => service(AppService, { listOrganizations: () => ({}) }),
      { router: { interceptors: [work.interceptor] } },
    );
    await createClient(AppService, router).listOrganizations({});
    let end = 0;
    await work.runLarge({ caller: ['a'], signal }, () => {
      const start = performance.now();
      while (performance.now() - start < LONG_TURN_MS);
      end = performance.now();
      return Promise.resolve();
    });
    let begin = 0;
    await work.runLarge({ caller: ['a'], signal }, () => {
      begin = performance.now();
      return Promise.resolve();
    });
    assert.ok(begin - end > 3 * LONG_TURN_MS, `${begin - end} ms`);
  });

  it('runs work on small documents immediately', async () => {
    const steps = (function* (): Generator<undefined, string, void> {
      yield;
      return 'done';
    })();
    const waiting = [0, 1].map((index) => runLarge(`${index}`, new Promise(() => undefined)));
    await waitForNotes(waiting.length);
    const result = await work.runSized(false, { caller: ['a'], signal }, async (run) => run(steps));
    assert.equal(result, 'done');
  });

  it('runs measured work with a slot as soon as its documents are large', async () => {
    const end = Promise.withResolvers<undefined>();
    const waiting = [0, 1].map((index) => runLarge(`${index}`, end.promise));
    await waitForNotes(waiting.length);
    const measured = (bytes: number): Promise<string> =>
      work.runMeasured({ caller: ['a'], signal }, async (addBytes) => {
        notes.push(`measure ${bytes}`);
        addBytes(bytes);
        addBytes(bytes);
        await yieldToEventLoop();
        notes.push(`read ${bytes}`);
        return `${bytes}`;
      });
    assert.equal(await measured(SMALL_BYTES), `${SMALL_BYTES}`);
    const large = measured(LARGE_BYTES);
    for (let turn = 0; turn < CALLS; turn += 1) await yieldToEventLoop();
    const [small, attempt] = [SMALL_BYTES, LARGE_BYTES].map((bytes) => `measure ${bytes}`);
    assert.deepEqual(notes.slice(2), [small, `read ${SMALL_BYTES}`, attempt]);
    end.resolve(undefined);
    assert.equal(await large, `${LARGE_BYTES}`);
    await Promise.all(waiting);
  });

  it('passes on the error of measured work', async () => {
    const failing = work.runMeasured({ caller: ['a'], signal }, () =>
      Promise.reject(new Error('failed')),
    );
    await assert.rejects(failing, /failed/);
  });
});
