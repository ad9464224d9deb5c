import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { Health } from '../../src/gen/grpc/health/v1/health_pb';
import { Traces } from '../../src/service/monitoring/traces';
import { readTraceOptions } from '../../src/service/monitoring/traceOptions';
import { RecordingLogger } from '../support/recordingLogger';
import { ServiceProgram, type ServiceRun } from '../support/serviceProgram';
import { TestClock } from '../support/testClock';
import { waitUntil } from '../support/waitUntil';
import {
  appClient,
  type Deployment,
  type Protocol,
  signInToken,
  startHttpDeployment,
} from './deployment';

const PROCESS_LIMIT_MS = 120_000;
const VERSION = '1.2.3';
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT_ID = '00f067aa0ba902b7';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
  status: { code?: number };
}

interface Export {
  resourceSpans: {
    resource: { attributes: Span['attributes'] };
    scopeSpans: { spans: Span[] }[];
  }[];
}

/** Collector for traces, like that of OpenTelemetry. */
class Collector implements AsyncDisposable {
  readonly exports: { path: string; headers: IncomingHttpHeaders; body: Export }[] = [];
  /** Statuses of the next responses. */
  readonly statuses: number[] = [];
  private readonly server = createServer((request, response) => {
    void json(request).then((body) => {
      const { url: path = '', headers } = request;
      response.statusCode = this.statuses.shift() ?? 200;
      if (response.statusCode === 200) this.exports.push({ path, headers, body: body as Export });
      response.end('{}');
    });
  });

  static async start(): Promise<Collector> {
    const collector = new Collector();
    collector.server.listen(0, '127.0.0.1');
    await once(collector.server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  get spans(): Span[] {
    return this.exports.flatMap(({ body }) =>
      body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

function readAttributes(attributes: Span['attributes']): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
}

for (const protocol of ['gRPC', 'gRPC-web', 'Connect'] satisfies Protocol[]) {
  describe(`traces of calls over ${protocol}`, () => {
    let collector: Collector;
    let deployment: Deployment | undefined;
    let traces: Traces;
    const logger = new RecordingLogger();

    beforeEach(async () => {
      collector = await Collector.start();
      logger.lines.length = 0;
    });
    afterEach(async () => {
      await deployment?.stop();
      await traces[Symbol.asyncDispose]();
      await collector[Symbol.asyncDispose]();
    });

    async function start(environment: NodeJS.ProcessEnv = {}): Promise<Deployment> {
      const options = readTraceOptions(
        { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment },
        VERSION,
      );
      traces = new Traces(options ?? assert.fail('no collector'), logger);
      deployment = await startHttpDeployment(
        new TestClock(),
        protocol,
        {},
        { tracer: traces, logger },
      );
      return deployment;
    }

    /** Waits until a number of calls have ended, and returns the spans that the collector has. */
    async function flush(calls: number): Promise<Span[]> {
      const isCall = ({ message }: { message: string }) => message === 'call';
      await waitUntil(() => logger.lines.filter(isCall).length >= calls);
      await traces[Symbol.asyncDispose]();
      return collector.spans;
    }

    it('have a server span per call that continues the trace of its client', async () => {
      const traced = await start({
        OTEL_SERVICE_NAME: 'fleet',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test%20lab',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc',
      });
      const { apiKeyId: id, apiKey: key, organizationId } = traced.owner;
      const token = await signInToken(traced, { id, key });
      const headers = { traceparent: `00-${TRACE_ID}-${PARENT_ID}-01` };
      const before = BigInt(Date.now()) * 1_000_000n;
      await appClient(traced, token).getOrganization({ organizationId }, { headers });
      const [signIn, call, ...others] = await flush(2);
      assert.ok(signIn && call && others.length === 0);
      assert.equal(signIn.parentSpanId, undefined);
      assert.match(signIn.traceId, /^[\da-f]{32}$/);
      assert.equal(call.traceId, TRACE_ID);
      assert.equal(call.parentSpanId, PARENT_ID);
      assert.match(call.spanId, /^[\da-f]{16}$/);
      assert.notEqual(call.spanId, PARENT_ID);
      assert.equal(call.kind, 2);
      assert.equal(call.name, 'viam.app.v1.AppService/GetOrganization');
      assert.ok(BigInt(call.startTimeUnixNano) > before - 1_000_000_000n);
      assert.ok(BigInt(call.endTimeUnixNano) >= BigInt(call.startTimeUnixNano));
      assert.deepEqual(call.status, {});
      assert.deepEqual(readAttributes(call.attributes), {
        'rpc.system': protocol === 'Connect' ? 'connect_rpc' : 'grpc',
        'rpc.service': 'viam.app.v1.AppService',
        'rpc.method': 'GetOrganization',
        ...(protocol !== 'Connect' && { 'rpc.grpc.status_code': 0 }),
      });
      const [first] = collector.exports;
      assert.equal(first?.path, '/v1/traces');
      assert.equal(first.headers['content-type'], 'application/json');
      assert.equal(first.headers.authorization, 'Basic abc');
      assert.deepEqual(readAttributes(first.body.resourceSpans[0]?.resource.attributes ?? []), {
        'service.name': 'fleet',
        'service.version': VERSION,
        'deployment.environment': 'test lab',
      });
      const text = JSON.stringify(collector.exports.map(({ body }) => body));
      for (const secret of [id, key, token, organizationId]) assert.ok(!text.includes(secret));
    });

    it('have the code of a failed call, whose log line has the ID of the span', async () => {
      const traced = await start();
      const error = await appClient(traced, 'wrong')
        .listOrganizations({})
        .catch((reason: unknown) => ConnectError.from(reason));
      assert.ok(error instanceof ConnectError && error.code === Code.Unauthenticated);
      const [span] = await flush(1);
      const { 'rpc.grpc.status_code': grpcCode, 'rpc.connect_rpc.error_code': connectCode } =
        readAttributes(span?.attributes ?? []);
      assert.deepEqual(
        [grpcCode, connectCode],
        protocol === 'Connect' ? [undefined, 'unauthenticated'] : [Code.Unauthenticated, undefined],
      );
      assert.deepEqual(span?.status, {});
      const { fields } = logger.lines.find(({ message }) => message === 'call') ?? assert.fail();
      assert.deepEqual([fields.traceId, fields.spanId], [span.traceId, span.spanId]);
    });

    it('have no spans of probes, of unknown methods, and of what the client does not record', async () => {
      const traced = await start();
      await createClient(Health, traced.transport([])).check({});
      await fetch(`${traced.url}/nothing.Service/Method`, { method: 'POST' });
      const headers = { traceparent: `00-${TRACE_ID}-${PARENT_ID}-00` };
      await assert.rejects(appClient(traced).listOrganizations({}, { headers }));
      assert.deepEqual(await flush(3), []);
    });

    it('are sent again when the collector was overloaded', async () => {
      const traced = await start();
      collector.statuses.push(503);
      await assert.rejects(appClient(traced).listOrganizations({}));
      assert.deepEqual(await flush(1), []);
      assert.equal((await flush(1)).length, 1);
      const warnings = logger.lines.filter(({ level }) => level === 'warn');
      assert.deepEqual(
        warnings.map(({ message, fields }) => [message, fields.error]),
        [['traces could not be sent', 'status 503']],
      );
    });
  });
}

describe('traces of a service', function () {
  this.timeout(PROCESS_LIMIT_MS);

  /** Runs the service with additional environment variables. */
  function serve(program: ServiceProgram, environment: Record<string, string>): ServiceRun {
    Object.assign(process.env, environment);
    try {
      return program.serve('--ephemeral');
    } finally {
      for (const name of Object.keys(environment)) Reflect.deleteProperty(process.env, name);
    }
  }

  it('are configured by the environment, and sent before the service stops', async () => {
    await using collector = await Collector.start();
    await using program = await ServiceProgram.build();
    const run = serve(program, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const { url } = (await run.ready) ?? assert.fail('the service did not start');
    const client = createClient(AppService, createGrpcTransport({ baseUrl: url }));
    await assert.rejects(client.listOrganizations({}));
    run.child.kill('SIGTERM');
    assert.equal((await run.ended).exitCode, 0);
    assert.deepEqual(
      collector.spans.map(({ name }) => name),
      ['viam.app.v1.AppService/ListOrganizations'],
    );
  });

  it('do not delay its end if the collector does not respond', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${String(port)}` };
    const options = readTraceOptions(environment, VERSION) ?? assert.fail('no collector');
    const logger = new RecordingLogger();
    const traces = new Traces(options, logger, 1);
    const { typeName: service } = AppService;
    const identity = traces.identify({ requestId: 'r' }, undefined);
    const ended = {
      isConnect: false,
      isStream: false,
      code: undefined,
      startedAt: 0,
      durationMs: 1,
    };
    traces.record({ service, method: 'ListOrganizations', identity, ...ended });
    await traces[Symbol.asyncDispose]();
    assert.deepEqual(
      logger.lines.map(({ message, fields }) => [message, fields.error]),
      [['traces could not be sent', 'the service stopped before the collector responded']],
    );
    silent.close();
    silent.closeAllConnections();
  });

  it('need variables that are valid', async () => {
    await using program = await ServiceProgram.build();
    const run = serve(program, {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4317',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    });
    const { exitCode, stderr } = await run.ended;
    assert.equal(exitCode, 2);
    assert.match(stderr, /OTEL_EXPORTER_OTLP_PROTOCOL must be http\/json, not "grpc"/);
  });
});
