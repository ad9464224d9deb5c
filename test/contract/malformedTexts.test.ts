import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import { Code, createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { DataSyncService } from '../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { PassingClock } from '../support/testClock';
import { type Capturer, newCapturer, thermometer } from './cases/tabularFixture';
import { type Deployment, signInAsOwner, signInToken, startHttpDeployment } from './deployment';
import { assertRejected } from './fleetFixture';

const TIMEOUT_MS = 60_000;
/** Values that a binary message can't contain, because UTF-8 has no halves of surrogate pairs. */
const MALFORMED: Record<string, JsonObject> = {
  'a value': { a: [{ b: '\ud800' }] },
  'a key': { a: { '\udfff': 1 } },
  'a pair in the wrong order': { a: '\ude00\ud83d' },
};

describe('JSON messages with half of a surrogate pair', function () {
  this.timeout(TIMEOUT_MS);
  let deployment: Deployment;
  let made: Capturer;
  let sync: ReturnType<typeof createClient<typeof DataSyncService>>;

  before(async () => {
    const clock = new PassingClock();
    deployment = await startHttpDeployment(clock, 'Connect');
    made = await newCapturer({ deployment, clock, owner: await signInAsOwner(deployment) });
    const { apiKeyId: id, apiKey: key } = deployment.owner;
    const token = await signInToken(deployment, { id, key });
    const transport = createConnectTransport({
      baseUrl: deployment.url,
      httpVersion: '1.1',
      useBinaryFormat: false,
      interceptors: [
        (next) => (request) => {
          request.header.set('authorization', `Bearer ${token}`);
          return next(request);
        },
      ],
    });
    sync = createClient(DataSyncService, transport);
  });
  after(() => deployment.stop());

  const upload = (value: JsonObject) =>
    sync.dataCaptureUpload({
      metadata: thermometer(made.partId),
      sensorContents: [{ data: { case: 'struct', value } }],
    });

  it('are rejected in readings, which can then be queried', async () => {
    await upload({ text: '\ud83d\ude00 \\ud800' });
    for (const [name, value] of Object.entries(MALFORMED)) {
      await assertRejected(
        upload(value),
        Code.InvalidArgument,
        /sensor_contents\[0\]\.struct\.a.*half of a surrogate pair/,
      ).catch((error: unknown) => {
        throw new Error(name, { cause: error });
      });
    }
    const { organizationId, data } = made;
    const sqlQuery = 'select data from readings';
    assert.equal((await data.tabularDataBySQL({ organizationId, sqlQuery })).rawData.length, 1);
  });
});
