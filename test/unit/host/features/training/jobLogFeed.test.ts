import assert from 'node:assert/strict';
import { FleetError } from '../../../../../src/core/api/errors';
import type { TrainingLogPage } from '../../../../../src/core/model/trainingJob';
import { JobLogFeed } from '../../../../../src/host/features/training/panel/trainingSession';

/** More pages than one request loads. */
const PAGES = 201;

const pageAfter = (token: string): TrainingLogPage => {
  const page = Number(token);
  return {
    lines: [{ level: 'info', at: undefined, message: String(page) }],
    next: page + 1 < PAGES ? String(page + 1) : '',
  };
};

describe('the log of a job in the training panel', () => {
  const { signal } = new AbortController();

  it('is read completely for a job that has ended', async () => {
    const feed = new JobLogFeed((token) => Promise.resolve(pageAfter(token)));
    assert.equal(await feed.read(true, signal), true);
    assert.equal(feed.isOpen, true);
    assert.equal(await feed.read(true, signal), true);
    assert.equal(feed.isOpen, false);
    assert.equal(feed.follower.lines.length, PAGES);
  });

  it('remains open for a running job', async () => {
    const feed = new JobLogFeed(() => Promise.resolve({ lines: [], next: '' }));
    await feed.read(false, signal);
    assert.deepEqual([feed.isKnown, feed.isOpen], [true, true]);
  });

  it('is requested again after an error, but not if the service stores none', async () => {
    let kind: 'unsupported' | 'unavailable' = 'unavailable';
    const feed = new JobLogFeed(() => Promise.reject(new FleetError(kind, kind)));
    assert.equal(await feed.read(true, signal), true);
    assert.equal(feed.isOpen, true);
    kind = 'unsupported';
    assert.equal(await feed.read(true, signal), true);
    assert.deepEqual([feed.isKnown, feed.isOpen], [true, false]);
  });
});
