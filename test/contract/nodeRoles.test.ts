import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Code, createClient } from '@connectrpc/connect';
import {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '../../src/gen/grpc/health/v1/health_pb';
import { QueryService } from '../../src/gen/fleetwright/query/v1/query_pb';
import { TrainingStatus } from '../../src/gen/viam/app/mltraining/v1/ml_training_pb';
import type { NodeRole } from '../../src/service/fleetService';
import { postgresForTests, type TestPostgres } from '../support/postgres';
import { StagedTrainer } from '../support/stagedTrainer';
import { TestClock } from '../support/testClock';
import { type Deployment, signInAsOwner, startRouterDeployment } from './deployment';
import { assertRejected, type Fleet } from './fleetFixture';
import { managedRequest, newTrainingLab, waitForJobEnd } from './trainingFixture';

/** Timeout that includes the installation of a PostgreSQL server before its first use. */
const TIMEOUT_MS = 120_000;

describe('nodes with different roles', function () {
  this.timeout(TIMEOUT_MS);
  let postgres: TestPostgres;
  let blobsDir: string;
  let fleet: Fleet;
  let nodes: Deployment[];
  const trainers = { api: new StagedTrainer(), train: new StagedTrainer() };

  before(async () => {
    postgres = await postgresForTests();
    const databaseUrl = await postgres.url();
    blobsDir = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    const clock = new TestClock();
    const start = (roles: NodeRole[], managed: StagedTrainer): Promise<Deployment> =>
      startRouterDeployment(clock, databaseUrl, {
        roles,
        blobsDir,
        trainers: { managed, custom: managed },
      });
    const api = await start([], trainers.api);
    nodes = [api, await start(['train'], trainers.train)];
    fleet = { deployment: api, clock, owner: await signInAsOwner(api) };
  });

  after(async () => {
    for (const node of nodes) await node.stop();
    await postgres.stop();
    await rm(blobsDir, { recursive: true });
  });

  it('run a training job that was submitted to a node with the role api on one with the role train', async () => {
    const lab = await newTrainingLab(fleet);
    const { id } = await lab.training.submitTrainingJob(managedRequest(lab, 'model'));
    const job = await waitForJobEnd(lab.training, id);
    assert.equal(job.status, TrainingStatus.COMPLETED);
    assert.deepEqual([trainers.api.begun.length, trainers.train.begun.length], [0, 1]);
  });

  it('reject queries without the role query, and report that the query service is not serving', async () => {
    const lab = await newTrainingLab(fleet);
    await assertRejected(
      lab.data.tabularDataBySQL({
        organizationId: lab.organizationId,
        sqlQuery: 'select 1 from readings',
      }),
      Code.Unimplemented,
      /this node of the service doesn't run them.*--role query/,
    );
    const health = createClient(Health, fleet.deployment.transport([]));
    const check = async (service: string) => (await health.check({ service })).status;
    assert.equal(await check(QueryService.typeName), ServingStatus.NOT_SERVING);
    assert.equal(await check(''), ServingStatus.SERVING);
    const response = await fetch(`${fleet.deployment.url}/readyz`);
    assert.equal(response.status, 200);
    assert.match(await response.text(), /"queryProcesses":"off"/);
  });
});
