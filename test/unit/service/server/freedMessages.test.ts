import assert from 'node:assert/strict';
import { type Client, Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { DataSyncService, DataType } from '../../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { FairBudget } from '../../../../src/service/server/fairBudget';
import { type FleetServer, startFleetServer } from '../../../../src/service/server/fleetServer';
import { RecordingLogger } from '../../../support/recordingLogger';
import { waitUntil } from '../../../support/waitUntil';

const MEBIBYTE = 1024 * 1024;
const CAPACITY = 16 * MEBIBYTE;

describe('the memory of a message', () => {
  let server: FleetServer;
  let sync: Client<typeof DataSyncService>;
  let large: FairBudget;
  let received: Uint8Array | undefined;
  let failure: ConnectError | undefined;
  /** Bytes that are left to the garbage collection. */
  let unusedBytes: number;

  before(async () => {
    const budget = (onRelease?: (amount: number) => void): FairBudget =>
      new FairBudget({ capacity: CAPACITY, maxWaitMs: 60_000, ...(onRelease && { onRelease }) });
    large = budget((amount) => (unusedBytes += amount));
    server = await startFleetServer({
      host: '127.0.0.1',
      port: 0,
      routes: (router) => {
        router.service(DataSyncService, {
          dataCaptureUpload: ({ sensorContents }) => {
            const { data } = sensorContents[0] ?? {};
            received = data?.case === 'binary' ? data.value : undefined;
            if (failure) throw failure;
            return { binaryDataId: String(received?.at(-1)) };
          },
        });
      },
      interceptors: [],
      logger: new RecordingLogger(),
      requestMemory: {
        large,
        unknown: budget(),
        small: budget(),
        values: budget(),
        decompressions: budget(),
      },
    });
    sync = createClient(DataSyncService, createGrpcTransport({ baseUrl: server.url }));
  });
  after(() => server.close());

  beforeEach(() => {
    received = undefined;
    failure = undefined;
    unusedBytes = 0;
  });

  const upload = async (bytes: number): Promise<string> => {
    const value = new Uint8Array(bytes).fill(7);
    const { binaryDataId } = await sync.dataCaptureUpload({
      metadata: { type: DataType.BINARY_SENSOR },
      sensorContents: [{ data: { case: 'binary', value } }],
    });
    return binaryDataId;
  };

  const waitUntilReleased = (): Promise<void> =>
    waitUntil(() => {
      const all = large.tryReserve(CAPACITY, ['another caller']);
      all?.releaseFreed();
      return all !== undefined;
    });

  it('is freed when the call of a large message succeeds', async () => {
    assert.equal(await upload(3 * MEBIBYTE), '7');
    await waitUntilReleased();
    assert.equal(received?.length, 0);
    assert.ok(unusedBytes < MEBIBYTE, String(unusedBytes));
  });

  it('is released to garbage collection if the call fails, because it could still be in use', async () => {
    failure = new ConnectError('too bad', Code.FailedPrecondition);
    await assert.rejects(upload(3 * MEBIBYTE), /too bad/);
    await waitUntilReleased();
    assert.equal(received?.length, 3 * MEBIBYTE);
    assert.ok(unusedBytes >= 3 * MEBIBYTE, String(unusedBytes));
  });

  it('is released to garbage collection if the message is small', async () => {
    assert.equal(await upload(MEBIBYTE / 2), '7');
    await waitUntilReleased();
    assert.equal(received?.length, MEBIBYTE / 2);
  });
});
