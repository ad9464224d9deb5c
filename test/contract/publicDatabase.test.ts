import assert from 'node:assert/strict';
import { MongoClient } from 'mongodb';
import { openPublicFleet, PUBLIC_PROTOCOLS, type PublicFleet } from './publicFleet';
import { bundledProgram } from '../support/bundledProgram';

const PASSWORD = 'Your_Password@1234';
/** Time limit that includes the start of a query process. */
const SLOW_MS = 90_000;

for (const protocol of PUBLIC_PROTOCOLS) {
  describe(`the public client sets up the database over ${protocol}`, () => {
    let fleet: PublicFleet;

    before(async () => {
      fleet = await openPublicFleet(protocol, {
        queryProgram: await bundledProgram('queryProcess'),
      });
      await fleet.service.databaseEndpoint.listen({ host: '127.0.0.1', port: 0 });
    });

    after(() => fleet.close());

    it('and a driver connects to the returned host', async function () {
      this.timeout(SLOW_MS);
      const { organizationId } = fleet.owner;
      const { dataClient } = fleet.client;
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
