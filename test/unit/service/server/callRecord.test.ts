import assert from 'node:assert/strict';
import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';
import { RequestInfoSchema } from '../../../../src/gen/google/rpc/error_details_pb';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import type { FinishedCall } from '../../../../src/service/server/callRecord';
import { type FleetServer, startFleetServer } from '../../../../src/service/server/fleetServer';
import {
  echoRoutes,
  FAILING_PART,
  MALFORMED_PART,
  MISSING_PART,
} from '../../../support/echoRoutes';
import { http1Request } from '../../../support/rawHttp';
import { RecordingLogger } from '../../../support/recordingLogger';
import { waitUntil } from '../../../support/waitUntil';

const METHOD = '/viam.app.v1.AppService/GetRobotPart';

describe('CallRecord', () => {
  const logger = new RecordingLogger();
  let server: FleetServer;

  before(async () => {
    server = await startFleetServer({
      host: '127.0.0.1',
      port: 0,
      routes: echoRoutes,
      interceptors: [],
      logger,
    });
  });
  after(() => server.close());
  beforeEach(() => {
    logger.lines.length = 0;
  });

  /** Waits for the only log record of a call and returns it. */
  async function readTrace(): Promise<Record<string, unknown>> {
    const traces = () => logger.lines.filter(({ level }) => level === 'trace');
    await waitUntil(() => traces().length > 0);
    assert.equal(traces().length, 1);
    const { message, fields } = { message: '', fields: {}, ...traces()[0] };
    assert.equal(message, 'call');
    return fields;
  }

  const transports: Record<string, () => Transport> = {
    gRPC: () => createGrpcTransport({ baseUrl: server.url }),
    'gRPC-web': () => createGrpcWebTransport({ baseUrl: server.url, httpVersion: '1.1' }),
    Connect: () => createConnectTransport({ baseUrl: server.url, httpVersion: '2' }),
  };
  for (const [name, createTransport] of Object.entries(transports)) {
    it(`logs a call over ${name} under the ID in its response`, async () => {
      let id: string | null = null;
      const client = createClient(AppService, createTransport());
      await client.getRobotPart(
        { id: 'part' },
        { onHeader: (headers) => (id = headers.get('x-request-id')) },
      );
      const { ms, ...fields } = await readTrace();
      assert.deepEqual(fields, {
        requestId: id,
        address: '127.0.0.1',
        method: METHOD,
        code: 'Ok',
      });
      assert.equal(typeof ms, 'number');
    });

    it(`logs an error over ${name} under the ID that its caller gets`, async () => {
      const client = createClient(AppService, createTransport());
      const error = await client
        .getRobotPart({ id: MISSING_PART })
        .catch((reason: unknown) => ConnectError.from(reason));
      assert.ok(error instanceof ConnectError);
      const { requestId: id, code } = await readTrace();
      assert.equal(code, 'NotFound');
      assert.equal(error.metadata.get('x-request-id'), id);
    });
  }

  it('uses the ID and the trace of the caller, and adds the ID to the details of errors', async () => {
    const headers = {
      'x-request-id': 'order-7_a',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    };
    for (const createTransport of Object.values(transports)) {
      logger.lines.length = 0;
      const client = createClient(AppService, createTransport());
      const error = await client
        .getRobotPart({ id: MISSING_PART }, { headers })
        .catch((reason: unknown) => ConnectError.from(reason));
      assert.ok(error instanceof ConnectError);
      assert.equal(error.metadata.get('x-request-id'), 'order-7_a');
      const [info, ...others] = error.findDetails(RequestInfoSchema);
      assert.deepEqual([info?.requestId, others], ['order-7_a', []]);
      const { requestId, traceId, parentSpanId } = await readTrace();
      assert.deepEqual(
        [requestId, traceId, parentSpanId],
        ['order-7_a', '4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'],
      );
    }
  });

  it('has the time of a clock that was set after the start of the process', async () => {
    const calls: FinishedCall[] = [];
    const traced = await startFleetServer({
      host: '127.0.0.1',
      port: 0,
      routes: echoRoutes,
      interceptors: [],
      logger,
      tracer: { identify: (identity) => identity, record: (call) => void calls.push(call) },
    });
    const { now } = Date;
    const hour = 3_600_000;
    try {
      Date.now = () => now() + hour;
      const before = Date.now();
      const client = createClient(AppService, createGrpcTransport({ baseUrl: traced.url }));
      await client.getRobotPart({ id: 'part' });
      await waitUntil(() => calls.length > 0);
      const { startedAt = 0, durationMs = 0 } = calls[0] ?? {};
      assert.ok(startedAt >= before && startedAt <= Date.now());
      assert.ok(durationMs < hour);
    } finally {
      Date.now = now;
      await traced.close();
    }
  });

  it('replaces an invalid ID and ignores an invalid trace', async () => {
    const client = createClient(AppService, transports.gRPC?.() ?? assert.fail());
    for (const [id, traceparent] of [
      ['two words', 'none'],
      ['x'.repeat(65), '00-00000000000000000000000000000000-00f067aa0ba902b7-01'],
      ['a"b', 'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
    ] as const) {
      logger.lines.length = 0;
      await client.getRobotPart({ id: 'part' }, { headers: { 'x-request-id': id, traceparent } });
      const fields = await readTrace();
      assert.match(String(fields.requestId), /^[\da-f]{16}$/);
      assert.ok(!('traceId' in fields));
    }
  });

  it('has the ID that an internal error is logged under', async () => {
    const client = createClient(AppService, createGrpcTransport({ baseUrl: server.url }));
    const error = await client
      .getRobotPart({ id: FAILING_PART })
      .catch((reason: unknown) => ConnectError.from(reason));
    const { requestId: id } = await readTrace();
    assert.deepEqual(
      [error instanceof ConnectError && error.rawMessage],
      [`internal error (ID ${String(id)})`],
    );
    assert.equal(logger.lines.find(({ level }) => level === 'error')?.fields.requestId, id);
  });

  it('has a message that can be encoded, also in streams', async () => {
    for (const transport of [createGrpcTransport, createConnectTransport]) {
      const client = createClient(AppService, transport({ baseUrl: server.url, httpVersion: '2' }));
      const read = async () => {
        for await (const answer of client.tailRobotPartLogs({ id: MALFORMED_PART })) void answer;
      };
      for (const call of [client.getRobotPart({ id: MALFORMED_PART }), read()]) {
        await assert.rejects(call, (error) => {
          assert.ok(error instanceof ConnectError);
          assert.deepEqual(
            [error.rawMessage, error.code],
            ['not a number: "\uFFFD"', Code.InvalidArgument],
          );
          return true;
        });
      }
    }
  });

  for (const [name, body, code] of [
    ['cannot be parsed', 'not JSON', Code.InvalidArgument],
    ['is too large', Buffer.alloc(9 * 1024 * 1024, ' ').toString(), Code.ResourceExhausted],
  ] as const) {
    it(`logs a call whose request ${name} as failed`, async () => {
      const headers = { 'content-type': 'application/json' };
      await http1Request(server.url + METHOD, { method: 'POST', headers, body }).catch(
        () => undefined,
      );
      assert.equal((await readTrace()).code, Code[code]);
    });
  }

  it('logs calls that no handler sees', async () => {
    const { headers } = await http1Request(`${server.url}/viam.app.v1.AppService/DoNothing`);
    const { requestId: id, code } = await readTrace();
    assert.deepEqual([id, code], [headers['x-request-id'], Code[Code.Unimplemented]]);
  });
});
