import assert from 'node:assert/strict';
import type { AwaitedJob } from '../../../../../src/host/features/training/awaitedJobs';
import { Submissions } from '../../../../../src/host/features/training/jobWatches';
import { TrainingFleet } from '../../../../support/trainingFleet';

describe('training jobs submitted in this window', () => {
  let training: TrainingFleet;
  let submissions: Submissions;
  let notified: AwaitedJob[];

  beforeEach(async () => {
    training = await TrainingFleet.open();
    notified = [];
    submissions = new Submissions(training.sessions, (job) => notified.push(job));
  });

  afterEach(async () => {
    submissions.dispose();
    await training.close();
  });

  it('are reported, including those of inactive connections', async () => {
    training.sessions.activate(false);
    const jobId = await training.submit('fails');
    const { target, organizationId } = training;
    assert.deepEqual(notified, [{ connectionId: target.connectionId, organizationId, jobId }]);
  });

  it('are reported after another sign-in, but not after disposal', async () => {
    training.sessions.signOut();
    training.sessions.signIn();
    const jobId = await training.submit('fails');
    assert.deepEqual(
      notified.map((job) => job.jobId),
      [jobId],
    );
    submissions.dispose();
    await training.submit('fails');
    assert.equal(notified.length, 1);
  });
});
