import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { ConnectError, createClient } from '@connectrpc/connect';
import { DataService } from '../../../../src/gen/viam/app/data/v1/data_pb';
import {
  DataSyncService,
  DataType,
  FileUploadRequestSchema,
} from '../../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import type { RunningService } from '../../../support/runningService';
import type { Random } from '../../../support/seededRandom';
import { createContent, isStreamed } from './capturedContent';
import type { CaptureLedger, ItemUpload } from './captureLedger';

/** Sensors whose readings are never deleted. The readings of `DOOMED` are deleted repeatedly. */
export const LASTING = ['climate', 'battery'];
export const DOOMED = 'doomed';

const START_MS = Date.UTC(2026, 0, 1);
/** Time between readings. It is long so that the readings are distributed over several days. */
const STEP_MS = 20_000;
const MAX_READINGS = 60;
const CHUNK_BYTES = 64 * 1024;
const REMOVED_AT_ONCE = 3;
/** Minimum number of items; if there are fewer, no items are deleted. */
const FEWEST_ITEMS = 20;

/**
 * Lets clients upload, delete, and query concurrently.
 * @returns a promise that resolves when each client has received an error, which means that the
 *   service was killed.
 */
export async function mixCalls(
  { transport, key: { organizationId } }: RunningService,
  partId: string,
  ledger: CaptureLedger,
  random: Random,
): Promise<void> {
  const sync = createClient(DataSyncService, transport);
  const data = createClient(DataService, transport);

  const sendReadings = async (component: string) => {
    const upload = ledger.sendReadings(component, 1 + Math.floor(random() * MAX_READINGS));
    await sync.dataCaptureUpload({
      metadata: {
        partId,
        componentType: 'rdk:component:sensor',
        componentName: component,
        methodName: 'Readings',
        type: DataType.TABULAR_SENSOR,
      },
      sensorContents: Array.from({ length: upload.count }, (_, n) => {
        const time = timestampFromMs(START_MS + (upload.first + n) * STEP_MS);
        return {
          metadata: { timeRequested: time, timeReceived: time },
          data: { case: 'struct', value: { readings: { n: upload.first + n } } },
        } as const;
      }),
    });
    upload.standing = 'kept';
    return upload;
  };

  const sendItem = async (): Promise<void> => {
    const item = ledger.sendItem();
    const content = createContent(item.name, isStreamed(item.name));
    const metadata = { partId, fileName: item.name, fileExtension: '.bin', tags: ['mixed'] };
    const { binaryDataId } = isStreamed(item.name)
      ? await sync.fileUpload(toUploadChunks(metadata, content))
      : await sync.dataCaptureUpload({
          metadata: { ...metadata, type: DataType.BINARY_SENSOR },
          sensorContents: [{ data: { case: 'binary', value: content } }],
        });
    Object.assign(item, { id: binaryDataId, standing: 'kept' });
  };

  const removeItems = async (): Promise<void> => {
    const acknowledged = [...ledger.items.values()].filter(({ standing }) => standing === 'kept');
    const chosen = acknowledged.filter(() => random() < REMOVED_AT_ONCE / acknowledged.length);
    if (chosen.length === 0 || acknowledged.length < FEWEST_ITEMS) return sendItem();
    chosen.forEach((item) => (item.standing = 'removing'));
    await data.deleteBinaryDataByIDs({ binaryDataIds: chosen.map(({ id = '' }) => id) });
    chosen.forEach((item: ItemUpload) => (item.standing = 'removed'));
  };

  const removeReadings = async (): Promise<void> => {
    await sendReadings(DOOMED);
    await sendReadings(DOOMED);
    // Include readings that were left over when an earlier round was killed.
    const uploads = ledger.readings.filter(
      ({ component, standing }) => component === DOOMED && standing !== 'removed',
    );
    uploads.forEach((upload) => (upload.standing = 'removing'));
    const filter = { componentName: DOOMED };
    await data.deleteTabularData({ organizationId, deleteOlderThanDays: 0, filter });
    uploads.forEach((upload) => (upload.standing = 'removed'));
  };

  // Runs a query, which seals the existing readings and merges files in the background.
  const query = async (): Promise<void> => {
    const sqlQuery = 'select count(*) as count from readings';
    await data.tabularDataBySQL({ organizationId, sqlQuery });
  };

  await Promise.all([
    repeatUntilFailure(() => sendReadings(LASTING[0] ?? '')),
    repeatUntilFailure(() => sendReadings(LASTING[1] ?? '')),
    repeatUntilFailure(sendItem),
    repeatUntilFailure(sendItem),
    repeatUntilFailure(removeItems),
    repeatUntilFailure(removeReadings),
    repeatUntilFailure(query),
  ]);
}

async function repeatUntilFailure(call: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await call();
    } catch (error) {
      if (error instanceof ConnectError) return;
      throw error;
    }
  }
}

async function* toUploadChunks(value: { partId: string; fileName: string }, content: Buffer) {
  yield create(FileUploadRequestSchema, { uploadPacket: { case: 'metadata', value } });
  for (let start = 0; start < content.length; start += CHUNK_BYTES) {
    const data = content.subarray(start, start + CHUNK_BYTES);
    yield await Promise.resolve(
      create(FileUploadRequestSchema, { uploadPacket: { case: 'fileContents', value: { data } } }),
    );
  }
}
