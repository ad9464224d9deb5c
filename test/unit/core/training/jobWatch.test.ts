import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { FleetError } from '../../../../src/core/api/errors';
import { onAbort } from '../../../../src/base/cancellation';
import { datasetId, organizationId, trainingJobId } from '../../../../src/core/model/ids';
import type { TrainingJob } from '../../../../src/core/model/trainingJob';
import { JobWatch } from '../../../../src/core/training/jobWatch';

function job(status: TrainingJob['status']): TrainingJob {
  return {
    id: trainingJobId('j'),
    organizationId: organizationId('o'),
    datasetId: datasetId('d'),
    modelName: 'm',
    modelVersion: '1',
    task: 'unspecified',
    framework: 'unspecified',
    script: undefined,
    status,
    error: undefined,
    createdAt: undefined,
    startedAt: undefined,
    modifiedAt: undefined,
    endedAt: undefined,
    modelPackageId: '',
    labels: [],
    arguments: {},
    container: '',
  };
}

/** Sleeps that end when the test ends them; an aborted sleep ends immediately. */
class Sleeps {
  readonly delays: number[] = [];
  private wake: (() => void) | undefined;
  private begun: (() => void) | undefined;

  readonly sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      this.delays.push(milliseconds);
      this.wake = resolve;
      this.begun?.();
      if (signal) onAbort(signal, () => reject(signal.reason as Error));
    });

  /** Ends the current sleep, and waits for the next one. */
  async next(): Promise<void> {
    const { wake } = this;
    const begun = this.begins();
    this.wake = undefined;
    wake?.();
    await begun;
  }

  begins(): Promise<void> {
    return new Promise((resolve) => (this.begun = resolve));
  }
}

describe('JobWatch', () => {
  let sleeps: Sleeps;
  let jobs: readonly TrainingJob[];
  let failure: Error | undefined;
  let pollCount: number;
  let watch: JobWatch;

  beforeEach(() => {
    sleeps = new Sleeps();
    jobs = [job('inProgress')];
    failure = undefined;
    pollCount = 0;
    watch = new JobWatch({
      read: () => {
        pollCount += 1;
        return failure ? Promise.reject(failure) : Promise.resolve(jobs);
      },
      sleep: sleeps.sleep,
    });
  });

  afterEach(() => watch.dispose());

  async function hold(): Promise<{ dispose(): void }> {
    const begun = sleeps.begins();
    const subscription = watch.startPolling();
    await begun;
    return subscription;
  }

  it('polls immediately, and only while it has listeners', async () => {
    const [one, other] = [await hold(), watch.startPolling()];
    assert.equal(pollCount, 1);
    one.dispose();
    await sleeps.next();
    assert.equal(pollCount, 2);
    other.dispose();
    assert.equal(pollCount, 2);
    await hold();
    assert.equal(pollCount, 3);
  });

  it('polls less often while little changes, and rarely without running jobs', async () => {
    await hold();
    for (let times = 0; times < 9; times += 1) await sleeps.next();
    assert.ok((sleeps.delays[0] ?? 0) < 3_000);
    assert.equal(sleeps.delays.at(-1), 10_000);
    jobs = [job('completed')];
    await sleeps.next();
    assert.equal(sleeps.delays.at(-1), 2_000);
    for (let times = 0; times < 5; times += 1) await sleeps.next();
    assert.equal(sleeps.delays.at(-1), 30_000);
  });

  it('treats a job in an unknown state as running', async () => {
    jobs = [job(17)];
    await hold();
    for (let times = 0; times < 9; times += 1) await sleeps.next();
    assert.equal(sleeps.delays.at(-1), 10_000);
  });

  it('polls immediately and often when a change is imminent', async () => {
    jobs = [job('completed')];
    await hold();
    for (let times = 0; times < 5; times += 1) await sleeps.next();
    const begun = sleeps.begins();
    watch.pollSoon();
    await begun;
    assert.equal(pollCount, 7);
    assert.ok((sleeps.delays.at(-1) ?? 0) <= 4_000);
  });

  it('polls often, but not earlier, when more changes are likely', async () => {
    await hold();
    for (let times = 0; times < 9; times += 1) await sleeps.next();
    watch.resetPollInterval();
    assert.equal(pollCount, 10);
    await sleeps.next();
    assert.equal(pollCount, 11);
    assert.equal(sleeps.delays.at(-1), 2_500);
  });

  it('continues after failures with increasing delays, and reports them', async () => {
    failure = new FleetError('unavailable', 'No answer.');
    const events: unknown[] = [];
    watch.onDidFail((error) => events.push(error));
    await hold();
    for (let times = 0; times < 5; times += 1) await sleeps.next();
    assert.equal(events.length, 6);
    assert.equal(sleeps.delays.at(-1), 30_000);
    failure = undefined;
    const seen: unknown[] = [];
    watch.onDidPoll((polled) => seen.push(polled));
    await sleeps.next();
    assert.equal(seen.length, 1);
  });

  it('polls once for concurrent requests', async () => {
    const both = await Promise.all([watch.poll(), watch.poll()]);
    assert.equal(pollCount, 1);
    assert.equal(both[0], both[1]);
  });

  describe('during a slow poll', () => {
    let signals: AbortSignal[];
    let answers: ((jobs: readonly TrainingJob[]) => void)[];
    let events: unknown[];

    beforeEach(() => {
      signals = [];
      answers = [];
      events = [];
      watch = new JobWatch({
        read: (signal) =>
          new Promise((resolve, reject) => {
            signals.push(signal);
            answers.push(resolve);
            onAbort(signal, () => reject(new FleetError('canceled', 'Canceled.')));
          }),
        sleep: sleeps.sleep,
      });
      watch.onDidFail((error) => events.push(error));
      watch.onDidPoll((polled) => events.push(polled));
    });

    const aborted = (): readonly boolean[] => signals.map((signal) => signal.aborted);

    it('aborts it without listeners, and polls again for a new one', async () => {
      watch.startPolling().dispose();
      assert.deepEqual(aborted(), [true]);
      const begun = sleeps.begins();
      watch.startPolling();
      assert.deepEqual(aborted(), [true, false]);
      answers[1]?.(jobs);
      await begun;
      assert.deepEqual(events, [jobs]);
      assert.deepEqual(sleeps.delays, [2_500]);
    });

    it('shortens the delay after a recent request, not after an earlier one with a late response', async () => {
      watch = new JobWatch({
        read: () => new Promise((resolve) => answers.push(resolve)),
        sleep: sleeps.sleep,
      });
      watch.startPolling().dispose();
      const begun = sleeps.begins();
      watch.startPolling();
      answers[1]?.(jobs);
      await begun;
      answers[0]?.(jobs);
      await turn();
      watch.pollSoon();
      await turn();
      assert.equal(answers.length, 3);
    });

    it('continues for a caller that waits without listening', async () => {
      const subscription = watch.startPolling();
      const polling = watch.poll();
      subscription.dispose();
      assert.deepEqual(aborted(), [false]);
      answers[0]?.(jobs);
      assert.equal(await polling, jobs);
    });

    it('aborts it when disposed, even if a caller waits', async () => {
      const polling = watch.poll();
      watch.dispose();
      assert.deepEqual(aborted(), [true]);
      await assert.rejects(polling, { kind: 'canceled' });
      assert.deepEqual(events, []);
    });
  });
});
