import assert from 'node:assert/strict';
import { createClient } from '@connectrpc/connect';
import { MongoClient } from 'mongodb';
import { DataService } from '../../src/gen/viam/app/data/v1/data_pb';
import { connectPublicClient } from '../publicClient/publicClient';
import { callWithBuf, REFLECTION_VERSIONS } from '../support/bufCurl';
import { describeObjectStore } from '../support/objectStore';
import { PassingClock } from '../support/testClock';
import {
  bearerTransport,
  type NodesDeployment,
  onPostgres,
  signInAsOwner,
  signInToken,
  startNodes,
} from './deployment';
import type { Fleet } from './fleetFixture';
import { type PublicClient, PUBLIC_PROTOCOLS } from './publicFleet';
import { counting, newCapturer, upload } from './cases/tabularFixture';

/** Timeout that includes the start of the database, the bucket, and the query processes. */
const TIMEOUT_MS = 180_000;
const PASSWORD = 'Your_Password@1234';
const READINGS = 300;
const BATCH_SIZE = 20;
const CURSORS = 4;

describeObjectStore('two nodes behind a load balancer', function () {
  this.timeout(TIMEOUT_MS);
  let fleet: Fleet;
  let deployment: NodesDeployment;

  before(async () => {
    const clock = new PassingClock();
    deployment = await onPostgres((url) => startNodes(clock, 'gRPC', url));
    fleet = { deployment, clock, owner: await signInAsOwner(deployment) };
  });

  after(() => deployment.stop());

  for (const protocol of PUBLIC_PROTOCOLS) {
    describe(`with the public client over ${protocol}`, () => {
      let client: PublicClient;

      before(async () => {
        client = await connectPublicClient({ url: deployment.url, ...deployment.owner }, protocol);
      });

      it('have what was created before, and not what was deleted', async () => {
        const { appClient } = client;
        const { organizationId } = deployment.owner;
        const location = await appClient.createLocation(organizationId, 'Hall');
        const id = await appClient.newRobot(location?.id ?? '', 'rover');
        for (const name of ['rover 2', 'rover 3', 'rover 4']) {
          await appClient.updateRobot(id, location?.id ?? '', name);
          assert.equal((await appClient.getRobot(id))?.name, name);
        }
        const [part] = await appClient.getRobotParts(id);
        await appClient.deleteRobot(id);
        await assert.rejects(appClient.getRobot(id));
        await assert.rejects(appClient.getRobotPart(part?.id ?? ''));
      });

      it('serve data that the other node has received', async () => {
        const { appClient, dataClient } = client;
        const { organizationId } = deployment.owner;
        const location = await appClient.createLocation(organizationId, 'Yard');
        const id = await appClient.newRobot(location?.id ?? '', 'truck');
        const [part] = await appClient.getRobotParts(id);
        const now = new Date();
        for (const byte of [1, 2, 3]) {
          const binaryId = await dataClient.binaryDataCaptureUpload(
            Uint8Array.of(byte),
            part?.id ?? '',
            'camera',
            'cam',
            'GetImages',
            '.bin',
            [now, now],
          );
          const [item] = await dataClient.binaryDataByIds([binaryId]);
          assert.deepEqual(item?.binary, Uint8Array.of(byte));
        }
        for (const sum of [1, 2, 3]) {
          await dataClient.tabularDataCaptureUpload(
            [{ value: sum }],
            part?.id ?? '',
            'sensor',
            'meter',
            'Readings',
            [[now, now]],
          );
          const rows = await dataClient.tabularDataBySQL(
            organizationId,
            `select count(*) as count from readings where part_id = '${part?.id ?? ''}'`,
          );
          assert.deepEqual(rows, [{ count: sum }]);
        }
      });
    });
  }

  for (const reflection of REFLECTION_VERSIONS) {
    it(`let buf describe a method on one node and call it on the other, with ${reflection}`, async () => {
      const { owner, url, forwarded } = deployment;
      const call = async (method: string, request: object, headers: string[] = []) => {
        const before = forwarded.length;
        const answer = await callWithBuf(`${url}/${method}`, request, { reflection, headers });
        const nodes = new Map(forwarded.slice(before).map(({ path, node }) => [path, node]));
        const reflector = [...nodes.keys()].find((path) => path.includes('ServerReflection'));
        assert.match(reflector ?? '', reflection === 'grpc-v1' ? /\.v1\./ : /\.v1alpha\./);
        assert.notEqual(nodes.get(`/${method}`), nodes.get(reflector ?? ''));
        return answer;
      };
      assert.deepEqual(await call('grpc.health.v1.Health/Check', {}), { status: 'SERVING' });
      const { accessToken } = await call('proto.rpc.v1.AuthService/Authenticate', {
        entity: owner.apiKeyId,
        credentials: { type: 'api-key', payload: owner.apiKey },
      });
      const bearer = [`authorization: Bearer ${String(accessToken)}`];
      const { organizationId } = owner;
      const name = `Depot ${reflection}`;
      const app = 'viam.app.v1.AppService';
      const { location } = await call(`${app}/CreateLocation`, { organizationId, name }, bearer);
      const { locations } = await call(`${app}/ListLocations`, { organizationId }, bearer);
      const isCreated = ({ id }: { id: string }): boolean => id === (location as { id: string }).id;
      assert.ok((locations as { id: string }[]).some(isCreated));
    });
  }

  it('let the driver read all batches of concurrent cursors', async () => {
    const capturer = await newCapturer(fleet);
    const { organizationId, partId } = capturer;
    await upload(capturer, partId, counting(0, READINGS));
    const { apiKeyId: id, apiKey: key } = deployment.owner;
    const data = createClient(
      DataService,
      bearerTransport(deployment, await signInToken(deployment, { id, key })),
    );
    await data.configureDatabaseUser({ organizationId, password: PASSWORD });
    const { mongodbUri } = await data.getDatabaseConnection({ organizationId });
    const uri = mongodbUri.replace('YOUR-PASSWORD-HERE', encodeURIComponent(PASSWORD));
    await using client = new MongoClient(uri);
    const readings = client.db('sensorData').collection('readings');
    const cursors = Array.from({ length: CURSORS }, () =>
      readings.find({}, { batchSize: BATCH_SIZE }),
    );
    const rows = new Set<string>();
    // All cursors need their next batch at the same time, so the driver uses several connections.
    for (let index = 0; index < READINGS; index += 1) {
      const next = await Promise.all(cursors.map((cursor) => cursor.next()));
      assert.equal(new Set(next.map((row) => JSON.stringify(row?.data))).size, 1);
      rows.add(JSON.stringify(next[0]?.data));
    }
    assert.equal(rows.size, READINGS);
    assert.equal(await readings.countDocuments(), READINGS);
  });
});
