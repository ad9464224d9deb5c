import assert from 'node:assert/strict';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import { type FleetServer, startFleetServer } from '../../../../src/service/server/fleetServer';
import { echoRoutes } from '../../../support/echoRoutes';
import { RecordingLogger } from '../../../support/recordingLogger';

describe('the log of rejected requests', () => {
  const logger = new RecordingLogger();
  let server: FleetServer;

  beforeEach(async () => {
    logger.lines.length = 0;
    server = await startFleetServer({
      host: '127.0.0.1',
      port: 0,
      routes: echoRoutes,
      interceptors: [],
      logger,
      admit: () => Promise.reject(new ConnectError('sign in', Code.Unauthenticated)),
    });
  });
  afterEach(() => server.close());

  async function call(headers: Record<string, string> = {}): Promise<void> {
    const client = createClient(AppService, createGrpcTransport({ baseUrl: server.url }));
    await assert.rejects(
      client.getRobotPart({ id: 'part' }, { headers }),
      (error) => ConnectError.from(error).code === Code.Unauthenticated,
    );
  }

  /** Closes the server and returns the counts that it then logs. */
  async function readCounts(): Promise<unknown[]> {
    await server.close();
    return logger.lines
      .filter(({ message }) => message === 'rejected requests')
      .map(({ fields }) => fields);
  }

  it('excludes calls without a token, such as the probes of clients', async () => {
    await call();
    assert.deepEqual(await readCounts(), []);
  });

  it('counts calls with an invalid token', async () => {
    await call({ authorization: 'Bearer expired' });
    await call({ authorization: 'Bearer expired' });
    assert.deepEqual(await readCounts(), [{ unauthenticated: 2 }]);
  });
});
