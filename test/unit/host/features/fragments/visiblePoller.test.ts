import '../../../../support/plainVscode';
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Emitter } from '../../../../../src/base/emitter';
import { VisiblePoller } from '../../../../../src/host/features/fragments/visiblePoller';

const MINUTE_MS = 60_000;
const CHANGE_COUNT = 1_000;

/** Lets all work that is due finish. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('VisiblePoller', () => {
  let focusChanged: Emitter<{ focused: boolean }>;
  let changes: Emitter<undefined>;
  let state: { focused: boolean };
  let isVisible: boolean;
  /** State of the service, which a poll reads when it starts. */
  let saved: number;
  /** Value that the last finished poll read. */
  let shown: number | undefined;
  let polls: number;
  /** Functions that finish the running polls. */
  let running: (() => void)[];
  let poller: VisiblePoller;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    mock.method(performance, 'now', () => Date.now());
    focusChanged = new Emitter();
    changes = new Emitter();
    state = { focused: true };
    isVisible = true;
    [saved, shown, polls, running] = [0, undefined, 0, []];
    const work = async (): Promise<number> => {
      polls += 1;
      const read = saved;
      await new Promise<void>((resolve) => running.push(resolve));
      shown = read;
      return MINUTE_MS;
    };
    poller = new VisiblePoller(() => isVisible, work, {
      get state() {
        return state;
      },
      onDidChangeWindowState: focusChanged.event,
    });
    changes.event(() => poller.pollAfterChange());
  });

  afterEach(() => {
    poller.dispose();
    mock.timers.reset();
    mock.restoreAll();
  });

  /** Finishes the running poll. */
  async function finish(): Promise<void> {
    assert.equal(running.length, 1, 'number of running polls');
    running.shift()?.();
    await settle();
  }

  async function pass(milliseconds: number): Promise<void> {
    mock.timers.tick(milliseconds);
    await settle();
  }

  function focus(focused: boolean): void {
    state = { focused };
    focusChanged.fire(state);
  }

  /** Reports many changes, as an update of many parts does. */
  function change(): void {
    for (let count = 0; count < CHANGE_COUNT; count += 1) {
      saved += 1;
      changes.fire(undefined);
    }
  }

  it('polls once after changes during a poll', async () => {
    void poller.poll();
    change();
    await pass(MINUTE_MS);
    assert.equal(polls, 1);
    await finish();
    change();
    await pass(MINUTE_MS * 10);
    assert.equal(polls, 2);
    await finish();
    assert.equal(shown, 2 * CHANGE_COUNT);
  });

  it('polls once after changes between polls', async () => {
    void poller.poll();
    await finish();
    change();
    assert.equal(polls, 1);
    await pass(1_000);
    await finish();
    assert.deepEqual([polls, shown], [2, CHANGE_COUNT]);
  });

  it('continues to poll while changes arrive continuously', async () => {
    void poller.poll();
    await finish();
    for (let second = 0; second < 10; second += 1) {
      change();
      await pass(100);
      change();
      await pass(900);
      await finish();
    }
    assert.deepEqual([polls, shown], [11, 20 * CHANGE_COUNT]);
  });

  it('polls a slow service less often after changes', async () => {
    void poller.poll();
    await pass(2_000);
    await finish();
    change();
    await pass(19_999);
    assert.equal(polls, 1);
    await pass(1);
    assert.equal(polls, 2);
  });

  it('shows the latest state after overlapping requests', async () => {
    void poller.poll();
    saved = 1;
    let isDone = false;
    for (let count = 0; count < CHANGE_COUNT; count += 1) {
      void poller.poll().then(() => {
        isDone = true;
      });
    }
    await finish();
    assert.deepEqual([shown, isDone], [0, false]);
    await finish();
    assert.deepEqual([polls, shown, isDone], [2, 1, true]);
  });

  it('polls only while it is visible and the window has the focus', async () => {
    isVisible = false;
    await poller.poll();
    change();
    await pass(MINUTE_MS);
    assert.equal(polls, 0);
    isVisible = true;
    void poller.poll();
    await finish();
    await pass(MINUTE_MS);
    await finish();
    assert.equal(polls, 2);
    focus(false);
    change();
    await poller.poll();
    await pass(MINUTE_MS);
    assert.equal(polls, 2);
    focus(true);
    await finish();
    assert.equal(polls, 3);
    poller.dispose();
    change();
    await poller.poll();
    await pass(MINUTE_MS);
    assert.equal(polls, 3);
  });

  it('polls again after a window regains the focus during a poll', async () => {
    void poller.poll();
    focus(false);
    saved = 1;
    focus(true);
    await finish();
    await finish();
    assert.deepEqual([polls, shown], [2, 1]);
  });
});
