import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FleetError } from '../../../../../src/core/api/errors';
import type { TrainingJob } from '../../../../../src/core/model/trainingJob';
import {
  type AwaitedJob,
  AwaitedJobs,
} from '../../../../../src/host/features/training/endings/awaitedJobs';
import { JobEndings } from '../../../../../src/host/features/training/endings/jobEndings';
import { noticeModel } from '../../../../../src/host/features/training/endings/noticeModel';
import { ToldJobs } from '../../../../../src/host/features/training/endings/toldJobs';
import { JobWatches } from '../../../../../src/host/features/training/jobWatches';
import { MemoryKeyValue } from '../../../../support/memoryPorts';
import { silentLogger } from '../../../../support/silentLogger';
import { TestClock } from '../../../../support/testClock';
import { TrainingFleet } from '../../../../support/trainingFleet';

/** What one window has: storage that outlives its reload, and what it told. */
class TestWindow {
  readonly storage = new MemoryKeyValue();
  readonly told: string[] = [];
  watches!: JobWatches;
  endings!: JobEndings;

  constructor(
    private readonly training: TrainingFleet,
    private readonly folder: string,
  ) {
    this.load();
  }

  get awaited(): readonly AwaitedJob[] {
    return new AwaitedJobs(this.storage).all;
  }

  load(): void {
    this.watches = new JobWatches(this.training.sessions, (_, signal) =>
      sleep(5, undefined, { signal }),
    );
    this.endings = new JobEndings({
      ...{ watches: this.watches, awaited: new AwaitedJobs(this.storage), log: silentLogger },
      told: new ToldJobs(this.folder, new TestClock()),
      ended: (connection, job) => noticeModel(this.training.sessions, connection, job),
      tell: (_, job: TrainingJob) => this.told.push(`${job.id} ${String(job.status)}`),
    });
  }

  unload(): void {
    this.endings.dispose();
    this.watches.dispose();
  }
}

describe('telling that trainings have ended', () => {
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

  function open(): TestWindow {
    const opened = new TestWindow(training, join(folder, 'told'));
    windows.push(opened);
    return opened;
  }

  const awaitedJob = (jobId: TrainingJob['id']): AwaitedJob => ({
    ...{ connectionId: training.target.connectionId, organizationId: training.organizationId },
    jobId,
  });
  /** The test's own time limit ends it when it never is so. */
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await sleep(5);
  };

  it('happens for what was submitted here, and then nobody looks any more', async () => {
    const here = open();
    const id = await training.submit('waits');
    await here.endings.await(awaitedJob(id));
    await training.until(id, 'inProgress');
    assert.deepEqual(here.told, []);
    await training.stores.training.cancel({ id, organizationId: training.organizationId });
    await until(() => here.told.length > 0);
    assert.deepEqual(here.told, [`${id} canceled`]);
    assert.deepEqual(here.awaited, []);
    await sleep(20);
    training.fleet.calls.clear();
    await sleep(30);
    assert.equal(training.fleet.calls.get('ListTrainingJobs'), undefined);
  });

  it('happens for one that has failed before anyone looked', async () => {
    const here = open();
    const id = await training.submit('fails');
    await training.until(id, 'failed');
    await here.endings.await(awaitedJob(id));
    await until(() => here.told.length > 0);
    assert.deepEqual(here.told, [`${id} failed`]);
  });

  it('has whatever shows the registry read the model that was made', async () => {
    const { registry } = training.stores;
    assert.deepEqual(await registry.list(training.organizationId), []);
    const here = open();
    const id = await training.submit('model');
    await here.endings.await(awaitedJob(id));
    await until(() => here.told.length > 0);
    assert.deepEqual(here.told, [`${id} completed`]);
    const items = await registry.list(training.organizationId);
    assert.deepEqual(
      items.map(({ name }) => name),
      ['cups'],
    );
  });

  it('happens once in all windows that see it', async () => {
    const [here, there] = [open(), open()];
    const id = await training.submit('waits');
    await training.until(id, 'inProgress');
    await here.endings.await(awaitedJob(id));
    // The other one has a panel open.
    const hold = there.watches.of(training.target).hold();
    await there.watches.of(training.target).look();
    await training.stores.training.cancel({ id, organizationId: training.organizationId });
    await training.until(id, 'canceled');
    await there.watches.of(training.target).look();
    await until(() => here.awaited.length === 0);
    await sleep(20);
    hold.dispose();
    assert.equal(here.told.length + there.told.length, 1);
  });

  it('happens after the window was reloaded', async () => {
    const here = open();
    const id = await training.submit('waits');
    await training.until(id, 'inProgress');
    await here.endings.await(awaitedJob(id));
    here.unload();
    await training.stores.training.cancel({ id, organizationId: training.organizationId });
    await training.until(id, 'canceled');
    here.load();
    await until(() => here.told.length > 0);
    assert.deepEqual(here.told, [`${id} canceled`]);
    here.unload();
    here.load();
    await sleep(20);
    assert.equal(here.told.length, 1);
  });

  it('does not happen for jobs that had ended, and for those that were deleted', async () => {
    const here = open();
    const old = await training.submit('fails');
    await training.until(old, 'failed');
    const gone = await training.submit('fails');
    await training.until(gone, 'failed');
    await training.stores.training.delete({ id: gone, organizationId: training.organizationId });
    await here.endings.await(awaitedJob(gone));
    await until(() => here.awaited.length === 0);
    assert.deepEqual(here.told, []);
  });

  it('is given up where the jobs may not be seen any more, and not where they only fail', async () => {
    const here = open();
    const id = await training.submit('waits');
    const { training: store } = training.stores;
    let kind: 'unavailable' | 'permission' = 'unavailable';
    let looks = 0;
    store.list = () => {
      looks += 1;
      return Promise.reject(new FleetError(kind, 'No.'));
    };
    await here.endings.await(awaitedJob(id));
    await until(() => looks > 2);
    assert.equal(here.awaited.length, 1);
    kind = 'permission';
    await until(() => here.awaited.length === 0);
    await sleep(20);
    looks = 0;
    await sleep(30);
    assert.equal(looks, 0);
  });

  it('forgets after a month what was told', async () => {
    const clock = new TestClock();
    const told = new ToldJobs(folder, clock);
    const [one, other] = await Promise.all([training.submit('fails'), training.submit('fails')]);
    const job = awaitedJob(one);
    assert.deepEqual(
      await Promise.all([told.claim(job), told.claim(job)]).then((all) => all.toSorted()),
      [...[false, true]],
    );
    const [name = ''] = await readdir(folder);
    const old = new Date(clock.now().getTime() - 31 * 24 * 3_600_000);
    await utimes(join(folder, name), old, old);
    assert.equal(await told.claim(awaitedJob(other)), true);
    assert.equal((await readdir(folder)).length, 1);
  });

  it('happens also where it cannot be kept that it did', async () => {
    const here = new TestWindow(training, join(folder, 'x\0y'));
    windows.push(here);
    const id = await training.submit('fails');
    await here.endings.await(awaitedJob(id));
    await until(() => here.told.length > 0);
    assert.equal(here.told.length, 1);
  });
});
