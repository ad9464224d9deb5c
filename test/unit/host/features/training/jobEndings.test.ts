import '../../../../support/plainVscode';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { Emitter } from '../../../../../src/base/emitter';
import { FleetError } from '../../../../../src/core/api/errors';
import type { TrainingJob } from '../../../../../src/core/model/trainingJob';
import {
  type AwaitedJob,
  AwaitedJobs,
  JobHandover,
} from '../../../../../src/host/features/training/awaitedJobs';
import { JobEndings, NotifiedJobs } from '../../../../../src/host/features/training/jobEndings';
import { noticeModel } from '../../../../../src/host/features/training/createdModel';
import { JobWatches } from '../../../../../src/host/features/training/jobWatches';
import { MemoryKeyValue } from '../../../../support/memoryPorts';
import { silentLogger } from '../../../../support/silentLogger';
import { TestClock } from '../../../../support/testClock';
import { TestSleeps } from '../../../../support/testSleeps';
import { TrainingFleet } from '../../../../support/trainingFleet';

/** The parts of this computer's local fleet that the tests need. */
class TestLocalFleet {
  isRunning = false;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  set(isRunning: boolean): void {
    this.isRunning = isRunning;
    this.changed.fire();
  }
}

/** Counts the attempts to report a job. */
class CountingNotifiedJobs extends NotifiedJobs {
  claims = 0;

  override async claim(job: AwaitedJob): Promise<boolean> {
    const isFirst = await super.claim(job);
    this.claims += 1;
    return isFirst;
  }
}

/**
 * The state of one window: its storage, which survives a reload, and the reports that it has shown.
 */
class TestWindow {
  readonly storage = new MemoryKeyValue();
  readonly notifications: string[] = [];
  readonly sleeps = new TestSleeps();
  notifiedJobs!: CountingNotifiedJobs;
  readonly localFleet = new TestLocalFleet();
  watches!: JobWatches;
  endings!: JobEndings;

  constructor(
    private readonly training: TrainingFleet,
    private readonly folder: string,
    private readonly process = globalThis.process.pid,
  ) {
    this.load();
  }

  get awaited(): readonly AwaitedJob[] {
    return new AwaitedJobs(this.storage).all;
  }

  load(): void {
    this.notifiedJobs = new CountingNotifiedJobs(join(this.folder, 'told'), new TestClock());
    this.watches = new JobWatches(this.training.sessions, this.sleeps.sleep);
    this.endings = new JobEndings({
      watches: this.watches,
      awaited: new AwaitedJobs(this.storage),
      log: silentLogger,
      sessions: this.training.sessions,
      localFleet: this.localFleet,
      notified: this.notifiedJobs,
      handover: new JobHandover(join(this.folder, 'awaited'), this.process),
      ended: (connection, job) => noticeModel(this.training.sessions, connection, job),
      notify: (_, job: TrainingJob) => this.notifications.push(`${job.id} ${String(job.status)}`),
    });
  }

  /** Returns true if polling continues. Polling sleeps after each poll. */
  async isStillPolling(): Promise<boolean> {
    await this.watches
      .of(this.training.target)
      .poll()
      .catch(() => undefined);
    await turn();
    return this.sleeps.count > 0;
  }

  unload(): void {
    this.endings.dispose();
    this.watches.dispose();
  }
}

describe('the notification about a completed training', () => {
  let training: TrainingFleet;
  let folder: string;
  let windows: TestWindow[];

  beforeEach(async () => {
    training = await TrainingFleet.open();
    folder = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    windows = [];
  });

  afterEach(async () => {
    for (const one of windows) one.unload();
    await training.close();
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * Opens a window.
   * @param process ID of its extension host's process
   */
  function open(process?: number): TestWindow {
    const opened = new TestWindow(training, folder, process);
    windows.push(opened);
    return opened;
  }

  const awaitedJob = (jobId: TrainingJob['id']): AwaitedJob => ({
    connectionId: training.target.connectionId,
    organizationId: training.organizationId,
    jobId,
  });

  it('is shown for a job that was submitted here, and then polling stops', async () => {
    const here = open();
    const id = await training.submit('waits');
    await here.endings.await(awaitedJob(id));
    await training.until(id, 'inProgress');
    assert.deepEqual(here.notifications, []);
    await training.stores.training.cancel({ id, organizationId: training.organizationId });
    await here.sleeps.until(() => here.notifications.length > 0);
    assert.deepEqual(here.notifications, [`${id} canceled`]);
    assert.deepEqual(here.awaited, []);
    assert.equal(await here.isStillPolling(), false);
  });

  it('is shown for a job that failed before the first poll', async () => {
    const here = open();
    const id = await training.submit('fails');
    await training.until(id, 'failed');
    await here.endings.await(awaitedJob(id));
    await here.sleeps.until(() => here.notifications.length > 0);
    assert.deepEqual(here.notifications, [`${id} failed`]);
  });

  it('reloads the registry for the new model', async () => {
    const { registry } = training.stores;
    assert.deepEqual(await registry.list(training.organizationId), []);
    const here = open();
    const id = await training.submit('model');
    await here.endings.await(awaitedJob(id));
    await here.sleeps.until(() => here.notifications.length > 0);
    assert.deepEqual(here.notifications, [`${id} completed`]);
    const items = await registry.list(training.organizationId);
    assert.deepEqual(
      items.map(({ name }) => name),
      ['cups'],
    );
  });

  it('is shown once in all windows', async () => {
    const [here, there] = [open(), open()];
    const id = await training.submit('waits');
    await training.until(id, 'inProgress');
    await here.endings.await(awaitedJob(id));
    // The other window has a panel open.
    const hold = there.watches.of(training.target).startPolling();
    await there.watches.of(training.target).poll();
    await training.stores.training.cancel({ id, organizationId: training.organizationId });
    await training.until(id, 'canceled');
    await there.watches.of(training.target).poll();
    await here.sleeps.until(() => here.awaited.length === 0);
    await here.sleeps.until(() => here.notifiedJobs.claims + there.notifiedJobs.claims === 2);
    await turn();
    hold.dispose();
    assert.equal(here.notifications.length + there.notifications.length, 1);
  });

  it('is shown after a window reload', async () => {
    const here = open();
    const id = await training.submit('waits');
    await training.until(id, 'inProgress');
    await here.endings.await(awaitedJob(id));
    here.unload();
    await training.stores.training.cancel({ id, organizationId: training.organizationId });
    await training.until(id, 'canceled');
    here.load();
    await here.sleeps.until(() => here.notifications.length > 0);
    assert.deepEqual(here.notifications, [`${id} canceled`]);
    here.unload();
    here.load();
    assert.equal(await here.isStillPolling(), false);
    assert.equal(here.notifications.length, 1);
  });

  it('is shown in another window if the waiting one was closed', async () => {
    const here = open(spawnSync(process.execPath, ['-e', '']).pid);
    const there = open();
    const id = await training.submit('waits');
    await training.until(id, 'inProgress');
    await here.endings.await(awaitedJob(id));
    here.unload();
    await there.endings.takeOver();
    assert.deepEqual(there.awaited, [awaitedJob(id)]);
    await training.stores.training.cancel({ id, organizationId: training.organizationId });
    await there.sleeps.until(() => there.notifications.length > 0);
    assert.deepEqual(there.notifications, [`${id} canceled`]);
    // The closed window is opened again; it must not repeat earlier reports.
    here.load();
    await here.sleeps.until(() => here.awaited.length === 0);
    await here.endings.takeOver();
    assert.deepEqual([here.notifications, here.awaited], [[], []]);
  });

  it('is left to the window that waits, while that is open', async () => {
    const [here, there] = [open(process.ppid), open()];
    const job = awaitedJob(await training.submit('waits'));
    await here.endings.await(job);
    await there.endings.takeOver();
    assert.deepEqual([here.awaited, there.awaited], [[job], []]);
  });

  it('waits until the local fleet runs, without starting it', async () => {
    training.sessions.makeLocal();
    const here = open();
    here.localFleet.set(true);
    const id = await training.submit('waits');
    await training.until(id, 'inProgress');
    await here.endings.await(awaitedJob(id));
    here.unload();
    await training.stores.training.cancel({ id, organizationId: training.organizationId });
    await training.until(id, 'canceled');
    here.localFleet.set(false);
    const { training: store } = training.stores;
    const list = store.list.bind(store);
    let pollCount = 0;
    store.list = (...of) => {
      pollCount += 1;
      return list(...of);
    };
    here.load();
    await turn();
    assert.equal(pollCount, 0);
    here.localFleet.set(true);
    await here.sleeps.until(() => here.notifications.length > 0);
    assert.deepEqual(here.notifications, [`${id} canceled`]);
  });

  it('makes no call to a stopped local fleet', async () => {
    training.sessions.makeLocal();
    const here = open();
    here.localFleet.set(true);
    await here.endings.await(awaitedJob(await training.submit('waits')));
    await here.watches.of(training.target).poll();
    here.localFleet.set(false);
    assert.equal(await here.isStillPolling(), false);
    assert.equal(here.awaited.length, 1);
  });

  it('is dropped when its connection is signed out, also while no window was open', async () => {
    const here = open();
    const job = awaitedJob(await training.submit('waits'));
    await here.endings.await(job);
    training.sessions.signOut();
    await here.sleeps.until(() => here.awaited.length === 0);
    here.unload();
    await new AwaitedJobs(here.storage).add(job);
    here.load();
    await here.sleeps.until(() => here.awaited.length === 0);
    assert.deepEqual(here.notifications, []);
  });

  it('is not shown for jobs that had already ended, and for deleted ones', async () => {
    const here = open();
    const old = await training.submit('fails');
    await training.until(old, 'failed');
    const gone = await training.submit('fails');
    await training.until(gone, 'failed');
    await training.stores.training.delete({ id: gone, organizationId: training.organizationId });
    await here.endings.await(awaitedJob(gone));
    await here.sleeps.until(() => here.awaited.length === 0);
    assert.deepEqual(here.notifications, []);
  });

  it('is dropped if the jobs are no longer permitted, but not after other errors', async () => {
    const here = open();
    const id = await training.submit('waits');
    const { training: store } = training.stores;
    let kind: 'unavailable' | 'permission' = 'unavailable';
    let pollCount = 0;
    store.list = () => {
      pollCount += 1;
      return Promise.reject(new FleetError(kind, 'No.'));
    };
    await here.endings.await(awaitedJob(id));
    await here.sleeps.until(() => pollCount > 2);
    assert.equal(here.awaited.length, 1);
    kind = 'permission';
    await here.sleeps.until(() => here.awaited.length === 0);
    assert.equal(await here.isStillPolling(), false);
  });

  it('is dropped from the records after a month', async () => {
    const clock = new TestClock();
    const notifiedJobs = new NotifiedJobs(folder, clock);
    const [one, other] = await Promise.all([training.submit('fails'), training.submit('fails')]);
    const job = awaitedJob(one);
    assert.deepEqual(
      await Promise.all([notifiedJobs.claim(job), notifiedJobs.claim(job)]).then((all) =>
        all.toSorted(),
      ),
      [...[false, true]],
    );
    const [name = ''] = await readdir(folder);
    const old = new Date(clock.now().getTime() - 31 * 24 * 3_600_000);
    await utimes(join(folder, name), old, old);
    assert.equal(await notifiedJobs.claim(awaitedJob(other)), true);
    assert.equal((await readdir(folder)).length, 1);
  });

  it('is shown even if it cannot be recorded', async () => {
    const here = new TestWindow(training, join(folder, 'x\0y'));
    windows.push(here);
    const id = await training.submit('fails');
    await here.endings.await(awaitedJob(id));
    await here.sleeps.until(() => here.notifications.length > 0);
    assert.equal(here.notifications.length, 1);
  });
});
