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

describe('who looks at training jobs', () => {
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

  it('looks at once, and only while somebody wants to know', async () => {
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

  it('takes a job in a state that is not known for one that goes on', async () => {
    jobs = [job(17)];
    await hold();
    for (let times = 0; times < 9; times += 1) await sleeps.next();
    assert.equal(sleeps.delays.at(-1), 10_000);
  });

  it('looks at once and often when something is about to happen', async () => {
    jobs = [job('completed')];
    await hold();
    for (let times = 0; times < 5; times += 1) await sleeps.next();
    const begun = sleeps.begins();
    watch.pollSoon();
    await begun;
    assert.equal(pollCount, 7);
    assert.ok((sleeps.delays.at(-1) ?? 0) <= 4_000);
  });

  it('looks often, and no sooner, when more is likely to come', async () => {
    await hold();
    for (let times = 0; times < 9; times += 1) await sleeps.next();
    watch.resetPollInterval();
    assert.equal(pollCount, 10);
    await sleeps.next();
    assert.equal(pollCount, 11);
    assert.equal(sleeps.delays.at(-1), 2_500);
  });

  it('goes on after failures, less often each time, and tells of them', async () => {
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

  it('looks once for all who ask at the same time', async () => {
    const both = await Promise.all([watch.poll(), watch.poll()]);
    assert.equal(pollCount, 1);
    assert.equal(both[0], both[1]);
  });

  describe('at a look that takes its time', () => {
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

    it('breaks it off when nobody wants to know any more, and looks again for anyone who does', async () => {
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

    it('hastens who looks now, not who has looked before and hears of it late', async () => {
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

    it('goes on for anyone who waits for it without holding the jobs', async () => {
      const subscription = watch.startPolling();
      const polling = watch.poll();
      subscription.dispose();
      assert.deepEqual(aborted(), [false]);
      answers[0]?.(jobs);
      assert.equal(await polling, jobs);
    });

    it('breaks it off at the end, also while another waits', async () => {
      const polling = watch.poll();
      watch.dispose();
      assert.deepEqual(aborted(), [true]);
      await assert.rejects(polling, { kind: 'canceled' });
      assert.deepEqual(events, []);
    });
  });
});
