import assert from 'node:assert/strict';
import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { clientsOver, type FleetClients } from '../../../../src/core/api/fleetClients';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';

describe('clientsOver', () => {
  let clients: FleetClients;
  let received: number;

  beforeEach(() => {
    received = 0;
    const transport = createRouterTransport(({ service }) => {
      service(AppService, {
        listOrganizations: () => ({}),
        getRobot: () => {
          throw new ConnectError('no', Code.NotFound);
        },
        async *tailRobotPartLogs() {
          for (let count = 0; count < 3; count += 1) {
            received += 1;
            yield await Promise.resolve({});
          }
        },
      });
    });
    clients = clientsOver(transport);
  });

  it('returns the response of a call', async () => {
    assert.deepEqual((await clients.app.listOrganizations({})).organizations, []);
  });

  it('rejects with the error of a call', async () => {
    await assert.rejects(clients.app.getRobot({ id: 'gone' }), { code: Code.NotFound });
  });

  it('returns all messages of a stream', async () => {
    let count = 0;
    for await (const { logs } of clients.app.tailRobotPartLogs({ id: 'part' })) {
      count += 1 + logs.length;
    }
    assert.deepEqual([count, received], [3, 3]);
  });

  it('can be returned from an async function', async () => {
    const client = await Promise.resolve(clients.app);
    assert.equal(client, clients.app);
  });
});
