import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { FleetError } from '../../../../../../src/core/api/errors';
import { trainingJobId } from '../../../../../../src/core/model/ids';
import { JobWatches } from '../../../../../../src/host/features/training/jobWatches';
import { TrainingSession } from '../../../../../../src/host/features/training/panel/trainingSession';
import { keyWithRoles } from '../../../../../support/keyWithRoles';
import { TestSessions } from '../../../../../support/testSessions';
import { TestSleeps } from '../../../../../support/testSleeps';
import { TrainingFleet } from '../../../../../support/trainingFleet';
import { waitUntil } from '../../../../../support/waitUntil';

describe('the jobs of a training panel', () => {
  let training: TrainingFleet;
  let watches: JobWatches;
  let session: TrainingSession;
  let changes: number;
  let sleeps: TestSleeps;
  const { signal } = new AbortController();

  beforeEach(async () => {
    training = await TrainingFleet.open();
    sleeps = new TestSleeps();
    watches = new JobWatches(training.sessions, sleeps.sleep);
    session = open(training.sessions);
  });

  afterEach(async () => {
    session.dispose();
    watches.dispose();
    await training.close();
  });

  function open(sessions: TestSessions): TrainingSession {
    const target = { ...training.target, connectionId: sessions.connectionToFleet.id };
    const opened = new TrainingSession(target, {
      sessions,
      watches,
      deletedMessage: (job: string) => `${job} was deleted`,
      requireRight: () => Promise.reject(new FleetError('permission', 'Ask an owner.')),
    });
    changes = 0;
    opened.onDidChange(() => (changes += 1));
    return opened;
  }

  const describeError = async (work: Promise<unknown>): Promise<string> => {
    const error: unknown = await work.catch((thrown: unknown) => thrown);
    return error instanceof FleetError ? `${error.kind}: ${error.message}` : 'nothing failed';
  };

  it('are loaded with the names of their resources', async () => {
    const id = await training.submit('fails');
    await training.until(id, 'failed');
    const { organization, jobs } = await session.load(true, signal);
    assert.equal(organization, (await training.stores.organizations.list())[0]?.name);
    assert.deepEqual(
      jobs.map((job) => [job.id, job.status, session.getDatasetName(job)]),
      [[id, 'failed', 'Cups']],
    );
    assert.equal(session.job(id).error, jobs[0]?.error);
    assert.throws(() => session.job('x'), /x was deleted/);
  });

  it('are polled only while the panel is visible', async () => {
    await session.load(false, signal);
    session.setVisible(true);
    const id = await training.submit('waits');
    await training.until(id, 'inProgress');
    await sleeps.until(() => changes > 0);
    await sleeps.until(
      async () => (await session.load(false, signal)).jobs[0]?.status === 'inProgress',
    );
    session.setVisible(false);
    await watches.of(training.target).poll();
    await turn();
    // No sleep is pending, so polling has stopped.
    assert.equal(sleeps.count, 0);
  });

  it('include the selected one after they are loaded', async () => {
    const id = await training.submit('waits');
    const selectedId = () => session.selectedJob?.id;
    session.select(id);
    assert.equal(selectedId(), undefined);
    await session.load(true, signal);
    assert.equal(selectedId(), id);
    session.select(undefined);
    assert.equal(selectedId(), undefined);
  });

  it('include the log of the selected one, and new lines', async () => {
    const id = await training.submit('waits');
    await training.until(id, 'inProgress');
    await session.load(true, signal);
    session.setVisible(true);
    session.select(id);
    const changedJobs: string[] = [];
    session.onDidChangeLog((job) => changedJobs.push(job));
    const { follower } = await session.log(id, signal);
    await sleeps.until(() => follower.progress.epoch === 1);
    await training.stores.training.cancel(session.job(id));
    await sleeps.until(
      () => follower.lines.some(({ message }) => /cancel/i.test(message)) || changedJobs.length > 1,
    );
  });

  it('include the logs of compared ones, and new lines', async () => {
    const [first, second] = [await training.submit('waits'), await training.submit('waits')];
    await session.load(true, signal);
    session.setVisible(true);
    session.select(undefined);
    session.compare([first, second]);
    const changedJobs = new Set<string>();
    session.onDidChangeLog((job) => changedJobs.add(job));
    const isRunning = async (): Promise<boolean> =>
      (await session.load(false, signal)).jobs.some(({ status }) => status === 'inProgress');
    await sleeps.until(isRunning);
    await sleeps.until(() => changedJobs.size > 0);
    session.compare([]);
    await watches.of(training.target).poll();
    training.fleet.calls.clear();
    await watches.of(training.target).poll();
    assert.equal(training.fleet.calls.get('GetTrainingJobLogs'), undefined);
  });

  it('include the log of one that has ended once', async () => {
    const id = await training.submit('model');
    await training.until(id, 'completed');
    await session.load(true, signal);
    session.setVisible(true);
    session.select(id);
    const { follower } = await session.log(id, signal);
    assert.equal(follower.progress.epoch, 2);
    await watches.of(training.target).poll();
    training.fleet.calls.clear();
    await watches.of(training.target).poll();
    assert.equal(training.fleet.calls.get('GetTrainingJobLogs'), undefined);
  });

  it('include the progress of one that is not selected from its log', async () => {
    const [model, waits] = [await training.submit('model'), await training.submit('waits')];
    await training.until(model, 'completed');
    await training.until(waits, 'inProgress');
    await session.load(true, signal);
    session.select(model);
    assert.equal((await session.progress(model, signal)).epoch, 2);
    await sleeps.until(async () => (await session.progress(waits, signal)).epoch === 1);
    await assert.rejects(session.progress('x', signal), /x was deleted/);
  });

  it('report why the progress of one cannot be read', async () => {
    const id = await training.submit('model');
    await training.until(id, 'completed');
    await session.load(true, signal);
    training.stores.training.logs = () =>
      Promise.reject(new FleetError('unavailable', 'No answer.'));
    assert.equal(await describeError(session.progress(id, signal)), 'unavailable: No answer.');
  });

  it('are polled with pauses, even if one of them logs much', async () => {
    const id = await training.submit('waits');
    await training.until(id, 'inProgress');
    let logged = 0;
    training.stores.training.logs = () => {
      logged += 1;
      const line = { level: 'info', at: undefined, message: 'on and on' };
      return Promise.resolve({ lines: Array.from({ length: logged }, () => line), next: '' });
    };
    await session.load(true, signal);
    session.setVisible(true);
    session.select(id);
    await waitUntil(() => sleeps.count > 0);
    const before = logged;
    await watches.of(training.target).poll();
    training.fleet.calls.clear();
    await waitUntil(() => logged > before);
    await turn();
    assert.equal(sleeps.count, 1);
    assert.equal(training.fleet.calls.get('ListTrainingJobs'), undefined);
  });

  it('include the whole log of one that ended while the panel was hidden', async () => {
    const id = await training.submit('waits');
    await training.until(id, 'inProgress');
    await session.load(true, signal);
    session.setVisible(true);
    session.select(id);
    const { follower } = await session.log(id, signal);
    await sleeps.until(() => follower.progress.epoch === 1);
    session.setVisible(false);
    await training.stores.training.cancel(session.job(id));
    await training.until(id, 'canceled');
    // The restored page loads the jobs and selects the job that was selected before.
    await session.load(true, signal);
    session.setVisible(true);
    session.select(id);
    await sleeps.until(() => follower.lines.some(({ message }) => message === 'Canceled.'));
  });

  it('explain whom to contact if the key is not an owner of the organization', async () => {
    const { fleet } = training;
    const operator = new TestSessions(
      await keyWithRoles(fleet, ['operator', 'organization', fleet.organizationId]),
    );
    watches.dispose();
    watches = new JobWatches(operator, sleeps.sleep);
    session.dispose();
    session = open(operator);
    assert.equal(await describeError(session.load(true, signal)), 'permission: Ask an owner.');
    operator.dispose();
  });

  it('end with the sign-out, and are restored with the next sign-in', async () => {
    await session.load(true, signal);
    training.sessions.signOut();
    assert.equal(changes, 1);
    assert.match(await describeError(session.load(false, signal)), /^unauthenticated/);
    assert.throws(() => session.job(trainingJobId('x')), /was deleted/);
    training.sessions.signIn();
    assert.equal(changes, 2);
    assert.deepEqual((await session.load(false, signal)).jobs, []);
  });

  it('report renamed resources, and a deleted organization', async () => {
    await session.load(true, signal);
    const { organizations, datasets } = training.stores;
    const before = changes;
    const { datasetId: id, organizationId } = training;
    await datasets.rename({ id, organizationId }, 'Mugs');
    await organizations.rename(training.organizationId, 'Acme');
    assert.ok(changes >= before + 2);
    const read = await session.load(false, signal);
    assert.deepEqual([read.organization, [...read.datasets.values()]], ['Acme', ['Mugs']]);
  });

  it('report when they cannot be loaded any more, and when they can again', async () => {
    session.setVisible(true);
    await session.load(true, signal);
    const { training: store } = training.stores;
    const list = store.list.bind(store);
    store.list = () => Promise.reject(new FleetError('unavailable', 'No answer.'));
    await sleeps.until(() => changes > 0);
    assert.equal(await describeError(session.load(false, signal)), 'unavailable: No answer.');
    changes = 0;
    store.list = list;
    watches.of(training.target).pollSoon();
    await sleeps.until(() => changes > 0);
    assert.deepEqual((await session.load(false, signal)).jobs, []);
  });

  it('remain available while the service does not respond, and are reloaded after that', async () => {
    const id = await training.submit('fails');
    await training.until(id, 'failed');
    await session.load(true, signal);
    const { training: store } = training.stores;
    const list = store.list.bind(store);
    store.list = () => Promise.reject(new FleetError('unavailable', 'No answer.'));
    assert.equal(await describeError(session.load(true, signal)), 'unavailable: No answer.');
    assert.equal(session.job(id).status, 'failed');
    store.list = list;
    changes = 0;
    await watches.of(training.target).poll();
    assert.equal(changes, 1);
    assert.equal((await session.load(false, signal)).jobs.length, 1);
  });
});
