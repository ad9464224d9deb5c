import assert from 'node:assert/strict';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '../../src/gen/grpc/health/v1/health_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { QueryService } from '../../src/gen/fleetwright/query/v1/query_pb';
import { AuthorizationTable } from '../../src/service/auth/authorizationTable';
import { http1Request } from '../support/rawHttp';
import { ServiceProgram } from '../support/serviceProgram';
import { waitUntil } from '../support/waitUntil';
import { TestClock } from '../support/testClock';
import { type Deployment, type Protocol, startHttpDeployment } from './deployment';

const POLL_MS = 20;
const PROCESS_LIMIT_MS = 120_000;
/** Far more than the test needs, so that the port is open when the test looks. */
const SHUTDOWN_DELAY_SECONDS = 30;

const isNotFound = (error: unknown): boolean =>
  error instanceof ConnectError && error.code === Code.NotFound;

for (const protocol of ['gRPC', 'gRPC-web', 'Connect'] satisfies Protocol[]) {
  describe(`health of the service over ${protocol}`, () => {
    let deployment: Deployment;
    let blobsDir: string;

    before(async () => {
      blobsDir = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
      const options = { blobsDir, healthWatchMs: POLL_MS };
      deployment = await startHttpDeployment(new TestClock(), protocol, options);
    });

    after(async () => {
      await deployment.stop();
      await rm(blobsDir, { recursive: true, force: true });
    });

    const client = () => createClient(Health, deployment.transport([]));

    it('is SERVING without a token for the server and each of its services', async () => {
      const names = ['', ...new AuthorizationTable().services().map(({ typeName }) => typeName)];
      assert.ok(names.includes(AppService.typeName) && names.includes(Health.typeName));
      for (const service of names) {
        assert.equal((await client().check({ service })).status, ServingStatus.SERVING, service);
      }
      const { statuses } = await client().list({});
      assert.deepEqual(Object.keys(statuses).sort(), names.sort());
    });

    it('is NOT_FOUND for an unknown service, and SERVICE_UNKNOWN while watching it', async () => {
      await assert.rejects(client().check({ service: 'viam.app.v1.Nothing' }), isNotFound);
      // Without the signal, the client leaves the stream open.
      const closing = new AbortController();
      const service = 'viam.app.v1.Nothing';
      for await (const { status } of client().watch({ service }, { signal: closing.signal })) {
        assert.equal(status, ServingStatus.SERVICE_UNKNOWN);
        break;
      }
      closing.abort();
    });

    it('is shown to at most 100 watchers at an address, who can check it, too', async () => {
      const closing = new AbortController();
      const { signal } = closing;
      const watch = async (): Promise<void> => {
        const statuses = client().watch({}, { signal })[Symbol.asyncIterator]();
        await statuses.next();
      };
      const isOpened = (): Promise<boolean> =>
        watch().then(
          () => true,
          () => false,
        );
      // The server still counts streams of earlier tests until it notices that they were canceled.
      await Promise.all(Array.from({ length: 100 }, () => waitUntil(isOpened)));
      await assert.rejects(
        watch(),
        (error) =>
          error instanceof ConnectError &&
          error.code === Code.ResourceExhausted &&
          error.rawMessage === 'too many streams are open from this address: use Check instead',
      );
      assert.equal((await client().check({})).status, ServingStatus.SERVING);
      closing.abort();
      await waitUntil(async () => {
        const single = new AbortController();
        const statuses = client().watch({}, { signal: single.signal })[Symbol.asyncIterator]();
        const isOpen = await statuses.next().then(
          () => true,
          () => false,
        );
        single.abort();
        return isOpen;
      });
    });

    it('changes when a folder of the service is moved away, and back', async () => {
      const statuses: ServingStatus[] = [];
      for await (const { status } of client().watch({ service: AppService.typeName })) {
        statuses.push(status);
        if (statuses.length === 1) await rename(blobsDir, `${blobsDir}-moved`);
        if (statuses.length === 2) {
          const { status: code, body } = await http1Request(`${deployment.url}/readyz`);
          assert.equal(code, 503);
          assert.deepEqual(JSON.parse(body), {
            status: 'notReady',
            checks: { database: 'ok', dataDirectory: 'failed', queryProcesses: 'ok' },
          });
          await rename(`${blobsDir}-moved`, blobsDir);
        }
        if (statuses.length === 3) break;
      }
      const { SERVING, NOT_SERVING } = ServingStatus;
      assert.deepEqual(statuses, [SERVING, NOT_SERVING, SERVING]);
    });
  });
}

describe('probes of the service', () => {
  let deployment: Deployment;

  before(async () => {
    deployment = await startHttpDeployment(new TestClock(), 'gRPC', { queryProgram: undefined });
  });

  after(() => deployment.stop());

  it('respond to GET and HEAD without a token', async () => {
    const alive = await http1Request(`${deployment.url}/healthz`);
    assert.deepEqual([alive.status, alive.body], [200, '{"status":"alive"}\n']);
    assert.equal(alive.headers['cache-control'], 'no-store');
    const ready = await http1Request(`${deployment.url}/readyz`, { method: 'HEAD' });
    assert.deepEqual([ready.status, ready.body], [200, '']);
  });

  it('report an installation without queries as ready, except for the query service', async () => {
    const { body } = await http1Request(`${deployment.url}/readyz`);
    assert.deepEqual(JSON.parse(body), {
      status: 'ready',
      checks: { database: 'ok', dataDirectory: 'ok', queryProcesses: 'degraded' },
    });
    const health = createClient(Health, deployment.transport([]));
    const { status } = await health.check({ service: QueryService.typeName });
    assert.equal(status, ServingStatus.NOT_SERVING);
  });

  it('accept no other methods', async () => {
    const { status } = await http1Request(`${deployment.url}/readyz`, { method: 'POST' });
    assert.equal(status, 404);
  });
});

describe('a service that is stopping', function () {
  this.timeout(PROCESS_LIMIT_MS);

  it('reports not ready before it closes its port', async () => {
    await using program = await ServiceProgram.build();
    const delay = String(SHUTDOWN_DELAY_SECONDS);
    const run = program.serve('--ephemeral', '--shutdown-delay', delay);
    const { url } = (await run.ready) ?? assert.fail('the service did not start');
    assert.equal((await http1Request(`${url}/readyz`)).status, 200);
    const client = createClient(Health, createGrpcTransport({ baseUrl: url }));
    const statuses: ServingStatus[] = [];
    for await (const { status } of client.watch({})) {
      statuses.push(status);
      if (statuses.length === 1) run.child.kill('SIGTERM');
      else break;
    }
    assert.deepEqual(statuses, [ServingStatus.SERVING, ServingStatus.NOT_SERVING]);
    const { status, body } = await http1Request(`${url}/readyz`);
    assert.equal(status, 503);
    assert.equal((JSON.parse(body) as { status: string }).status, 'stopping');
    assert.equal((await http1Request(`${url}/healthz`)).status, 200);
  });
});
