import assert from 'node:assert/strict';
import { MongoClient } from 'mongodb';
import type { OwnerCredentials } from '../../src/service/auth/bootstrap';
import { type FleetService, openFleetService } from '../../src/service/fleetService';
import { type FleetServer, startFleetServer } from '../../src/service/server/fleetServer';
import { connectPublicClient, type PublicClientProtocol } from '../publicClient/publicClient';
import { queryProgram } from '../support/queryProgram';
import { silentLogger } from '../support/silentLogger';

const PROTOCOLS: PublicClientProtocol[] = ['grpc-web', 'grpc'];
const PASSWORD = 'Your_Password@1234';
/** A query process starts. */
const SLOW_MS = 30_000;

for (const protocol of PROTOCOLS) {
  describe(`the public client sets up the database over ${protocol}`, () => {
    let service: FleetService;
    let server: FleetServer;
    let owner: OwnerCredentials;

    before(async () => {
      service = await openFleetService({
        logger: silentLogger,
        queryProgram: await queryProgram(),
      });
      owner = await service.bootstrap();
      await service.databaseEndpoint.listen({ host: '127.0.0.1', port: 0 });
      const { routes, interceptors } = service;
      server = await startFleetServer({
        ...{ host: '127.0.0.1', port: 0, logger: silentLogger },
        ...{ routes, interceptors },
      });
    });

    after(async () => {
      await server.close();
      await service.close();
    });

    it('and a driver reads at the host that it is told', async function () {
      this.timeout(SLOW_MS);
      const { organizationId } = owner;
      const { dataClient } = await connectPublicClient({ url: server.url, ...owner }, protocol);
      await dataClient.configureDatabaseUser(organizationId, PASSWORD);
      const hostname = await dataClient.getDatabaseConnection(organizationId);
      const credentials = `db-user-${organizationId}:${encodeURIComponent(PASSWORD)}`;
      await using client = new MongoClient(
        `mongodb://${credentials}@${hostname}/sensorData?directConnection=true&authSource=admin`,
      );
      assert.equal(await client.db().collection('readings').countDocuments(), 0);
    });
  });
}
