import assert from 'node:assert/strict';
import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import { type FleetServer, startFleetServer } from '../../../../src/service/server/fleetServer';
import { echoRoutes, FAILING_PART, MISSING_PART } from '../../../support/echoRoutes';
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
    it(`logs a call over ${name} under the ID in its answer`, async () => {
      let id: string | null = null;
      const client = createClient(AppService, createTransport());
      await client.getRobotPart(
        { id: 'part' },
        { onHeader: (headers) => (id = headers.get('x-request-id')) },
      );
      const { ms, ...fields } = await readTrace();
      assert.deepEqual(fields, { id, method: METHOD, code: 'Ok' });
      assert.equal(typeof ms, 'number');
    });

    it(`logs an error over ${name} under the ID that its caller gets`, async () => {
      const client = createClient(AppService, createTransport());
      const error = await client
        .getRobotPart({ id: MISSING_PART })
        .catch((reason: unknown) => ConnectError.from(reason));
      assert.ok(error instanceof ConnectError);
      const { id, code } = await readTrace();
      assert.equal(code, 'NotFound');
      assert.equal(error.metadata.get('x-request-id'), id);
    });
  }

  it('has the ID that an internal error is logged under', async () => {
    const client = createClient(AppService, createGrpcTransport({ baseUrl: server.url }));
    const error = await client
      .getRobotPart({ id: FAILING_PART })
      .catch((reason: unknown) => ConnectError.from(reason));
    const { id } = await readTrace();
    assert.deepEqual(
      [error instanceof ConnectError && error.rawMessage],
      [`internal error (ID ${String(id)})`],
    );
    assert.equal(logger.lines.find(({ level }) => level === 'error')?.fields.id, id);
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
    const { id, code } = await readTrace();
    assert.deepEqual([id, code], [headers['x-request-id'], Code[Code.Unimplemented]]);
  });
});
