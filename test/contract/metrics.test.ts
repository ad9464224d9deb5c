import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { Health } from '../../src/gen/grpc/health/v1/health_pb';
import { AuthorizationTable } from '../../src/service/auth/authorizationTable';
import { type Families, parsePrometheusText } from '../support/prometheusText';
import { http1Request, openSocket } from '../support/rawHttp';
import { signIn, withApp } from '../support/serviceClients';
import { readJson, ServiceProgram } from '../support/serviceProgram';
import { waitForValue } from '../support/waitUntil';

const PROCESS_LIMIT_MS = 120_000;
const MAX_CONNECTIONS = 100;
const LOCATION = 'A name that no metric contains';

interface Credentials {
  url: string;
  apiKeyId: string;
  apiKey: string;
  organizationId: string;
}

/** Returns the value of the only sample with these labels; undefined if there is none. */
function findValue(
  families: Families,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const samples = [...families.values()].flatMap((family) => family.samples);
  const matches = samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  assert.ok(matches.length <= 1, `${name} has several samples`);
  return matches[0]?.value;
}

const watch = { service: Health.typeName, method: 'Watch' };

describe('metrics', function () {
  this.timeout(PROCESS_LIMIT_MS);
  let program: ServiceProgram;
  let credentials: Credentials;
  let metricsUrl: string;

  before(async () => {
    program = await ServiceProgram.build();
    const run = program.serve('--ephemeral', '--metrics-port', '0');
    const ready = (await run.ready) ?? assert.fail('the service did not start');
    credentials = readJson(ready.credentialsFile) as Credentials;
    const [, port] = /"metricsPort":(\d+)/.exec(run.readStderr()) ?? [];
    metricsUrl = `http://127.0.0.1:${port ?? assert.fail('the port is not in the log')}/metrics`;
  });
  after(() => program[Symbol.asyncDispose]());

  async function scrape(): Promise<{ text: string; families: Families }> {
    const { status, headers, body } = await http1Request(metricsUrl);
    assert.equal(status, 200);
    assert.match(headers['content-type'] ?? '', /^text\/plain; version=0\.0\.4/);
    return { text: body, families: parsePrometheusText(body) };
  }

  /** Scrapes until a condition is true, because a response can arrive before its call has ended. */
  function scrapeUntil(condition: (families: Families) => boolean): Promise<Families> {
    const read = async (): Promise<Families | undefined> => {
      const { families } = await scrape();
      return condition(families) ? families : undefined;
    };
    return waitForValue(read, { describeState: () => String(condition) });
  }

  it('count calls by method and code, with their durations', async () => {
    await signIn(credentials);
    await withApp(credentials, async (app) => {
      const { organizationId } = credentials;
      await app.createLocation({ organizationId, name: LOCATION });
      await app.createLocation({ organizationId, name: LOCATION });
      await assert.rejects(app.getLocation({ locationId: 'no-such-location' }));
    });
    const get = { service: AppService.typeName, method: 'GetLocation', code: 'NotFound' };
    const families = await scrapeUntil(
      (current) => findValue(current, 'fleetwright_calls_total', get) === 1,
    );
    const create = { service: AppService.typeName, method: 'CreateLocation' };
    assert.equal(findValue(families, 'fleetwright_calls_total', { ...create, code: 'Ok' }), 2);
    assert.equal(findValue(families, 'fleetwright_call_duration_seconds_count', create), 2);
  });

  it('include open streams while they are open', async () => {
    const client = createClient(Health, createGrpcTransport({ baseUrl: credentials.url }));
    const closing = new AbortController();
    const stream = client.watch({}, { signal: closing.signal });
    const messages = stream[Symbol.asyncIterator]();
    await messages.next();
    const { families } = await scrape();
    assert.equal(findValue(families, 'fleetwright_open_streams', watch), 1);
    closing.abort();
    await assert.rejects(messages.next());
  });

  it('include the load of each part of the service, and of the process', async () => {
    const families = await scrapeUntil(
      (current) => findValue(current, 'fleetwright_open_streams', watch) === 0,
    );
    for (const budget of ['unknown', 'small', 'large']) {
      assert.equal(findValue(families, 'fleetwright_request_memory_bytes', { budget }), 0);
      const limit = findValue(families, 'fleetwright_request_memory_limit_bytes', { budget });
      assert.ok(limit !== undefined && limit > 0);
    }
    const queues = ['queries', 'sealing', 'merging', 'documents', 'training'];
    for (const queue of [...queues, 'request_memory_large']) {
      assert.equal(findValue(families, 'fleetwright_queue_length', { queue }), 0, queue);
    }
    for (const kind of ['query', 'training']) {
      assert.equal(findValue(families, 'fleetwright_workers_busy', { kind }), 0);
      assert.ok((findValue(families, 'fleetwright_workers', { kind }) ?? 0) >= 1);
    }
    for (const name of [
      'fleetwright_lake_bytes',
      'fleetwright_lake_files',
      'fleetwright_cold_bytes',
      'fleetwright_cold_files',
      'fleetwright_cold_readings_moved_total',
      'fleetwright_cold_moves_failed_total',
      'fleetwright_cold_oldest_due_seconds',
      'fleetwright_cursor_result_bytes',
      'fleetwright_cached_data_shapes',
      'fleetwright_query_processes',
    ]) {
      assert.equal(findValue(families, name), 0, name);
    }
    assert.equal(findValue(families, 'fleetwright_ready'), 1);
    for (const name of [
      'fleetwright_connections',
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
    ]) {
      assert.ok((findValue(families, name) ?? 0) > 0, name);
    }
  });

  it('have labels only with known values, regardless of what callers send', async () => {
    for (const path of ['/viam.app.v1.AppService/Nothing', '/secret-path']) {
      const { status } = await http1Request(credentials.url + path, { method: 'POST' });
      assert.equal(status, 404);
    }
    const { text, families } = await scrape();
    assert.equal(
      findValue(families, 'fleetwright_rejections_total', { reason: 'unknownMethod' }),
      2,
    );
    const known = new Set(new AuthorizationTable().methods());
    for (const { samples } of families.values()) {
      for (const { labels } of samples) {
        if (labels.method === undefined) continue;
        assert.ok(known.has(`${labels.service ?? ''}/${labels.method}`), labels.method);
      }
    }
    const secrets = [credentials.apiKey, credentials.apiKeyId, credentials.organizationId];
    for (const secret of [...secrets, LOCATION, 'no-such-location', 'Nothing', 'secret-path']) {
      assert.ok(!text.includes(secret), secret);
    }
  });

  it('are served only at their path and port, and only for known hosts', async () => {
    const other = await http1Request(metricsUrl.replace('/metrics', '/'));
    assert.equal(other.status, 404);
    assert.equal((await http1Request(metricsUrl, { method: 'POST' })).status, 405);
    const headers = { host: 'rebound.example' };
    assert.equal((await http1Request(metricsUrl, { headers })).status, 403);
    assert.equal((await http1Request(`${credentials.url}/metrics`)).status, 404);
  });

  it('accept a bounded number of connections, without affecting the service', async () => {
    const sockets: Socket[] = [];
    for (let count = 0; count < MAX_CONNECTIONS; count += 1) {
      sockets.push(await openSocket(metricsUrl));
    }
    await assert.rejects(http1Request(metricsUrl));
    assert.equal((await http1Request(`${credentials.url}/healthz`)).status, 200);
    sockets.forEach((socket) => socket.destroy());
  });
});
