import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { create } from '@bufbuild/protobuf';
import { deserialize } from 'bson';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { DataService } from '../../src/gen/viam/app/data/v1/data_pb';
import {
  DataSyncService,
  DataType,
  type FileUploadRequest,
  FileUploadRequestSchema,
} from '../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import type { RunningService } from './runningService';

const START_MS = Date.UTC(2026, 0, 1);
const PAGE = 50n;
const FILE_CHUNK_BYTES = 64 * 1024;

/** Creates a machine that has captured readings, images, and files of various sizes. */
export async function fillFleet(
  { transport, key: { organizationId } }: RunningService,
  counts: { readings: number; images: number; files: number },
): Promise<void> {
  const app = createClient(AppService, transport);
  const sync = createClient(DataSyncService, transport);
  const { location } = await app.createLocation({ organizationId, name: 'Hall' });
  const { id: robotId } = await app.newRobot({ name: 'rover', location: location?.id ?? '' });
  const { parts } = await app.getRobotParts({ robotId });
  const partId = parts[0]?.id ?? '';
  await sync.dataCaptureUpload({
    metadata: {
      partId,
      componentType: 'rdk:component:sensor',
      componentName: 'climate',
      methodName: 'Readings',
      type: DataType.TABULAR_SENSOR,
    },
    sensorContents: Array.from({ length: counts.readings }, (_, n) => {
      const time = timestampFromMs(START_MS + n * 1000);
      return {
        metadata: { timeRequested: time, timeReceived: time },
        data: { case: 'struct', value: { readings: { n } } },
      } as const;
    }),
  });
  for (let n = 0; n < counts.images; n += 1) {
    await sync.dataCaptureUpload({
      metadata: { partId, componentName: 'cam', type: DataType.BINARY_SENSOR, tags: ['seen'] },
      sensorContents: [{ data: { case: 'binary', value: randomBytes(1 + n * 997) } }],
    });
  }
  for (let n = 0; n < counts.files; n += 1) {
    await sync.fileUpload(fileRequests(partId, `file-${String(n)}.bin`, randomBytes(100_000 + n)));
  }
}

function fileRequests(
  partId: string,
  fileName: string,
  content: Uint8Array,
): AsyncIterable<FileUploadRequest> {
  const messages = [
    create(FileUploadRequestSchema, {
      uploadPacket: { case: 'metadata', value: { partId, fileName, type: DataType.FILE } },
    }),
  ];
  for (let at = 0; at < content.length; at += FILE_CHUNK_BYTES) {
    const data = content.subarray(at, at + FILE_CHUNK_BYTES);
    const uploadPacket = { case: 'fileContents', value: { data } } as const;
    messages.push(create(FileUploadRequestSchema, { uploadPacket }));
  }
  return Readable.from(messages);
}

/**
 * Returns everything that an owner can see in a fleet: machines with their secrets, readings, and
 * content.
 */
export async function readFleet({ transport, key: { organizationId } }: RunningService) {
  const app = createClient(AppService, transport);
  const data = createClient(DataService, transport);
  const { locations } = await app.listLocations({ organizationId });
  const machines: unknown[] = [];
  for (const { id, name, auth } of locations) {
    const { robots } = await app.listRobots({ locationId: id });
    for (const robot of robots) {
      const { parts } = await app.getRobotParts({ robotId: robot.id });
      machines.push([
        name,
        auth?.secrets.map(({ secret }) => secret),
        robot.name,
        parts.map((part) => [part.id, part.secrets.map(({ secret }) => secret)]),
      ]);
    }
  }
  const readings: unknown[] = [];
  for (let last = ''; ;) {
    const page = await data.tabularDataByFilter({ dataRequest: { limit: PAGE, last } });
    readings.push(...page.data.map(({ data: payload }) => payload));
    if (page.data.length === 0 || page.last === '') break;
    ({ last } = page);
  }
  const contents: { name: string; size: bigint; digest: string }[] = [];
  for (let last = ''; ;) {
    const page = await data.binaryDataByFilter({
      dataRequest: { limit: PAGE, last },
      includeBinary: false,
    });
    for (const { metadata } of page.data) {
      assert.ok(metadata);
      const { data: items } = await data.binaryDataByIDs({
        binaryDataIds: [metadata.binaryDataId],
        includeBinary: true,
      });
      contents.push({
        name: metadata.fileName,
        size: metadata.fileSizeBytes,
        digest: createHash('sha256')
          .update(items[0]?.binary ?? '')
          .digest('hex'),
      });
    }
    if (page.data.length === 0 || page.last === '') break;
    ({ last } = page);
  }
  const sqlQuery = 'select count(*)::double as count from readings';
  const { rawData } = await data.tabularDataBySQL({ organizationId, sqlQuery });
  return {
    machines,
    readings,
    contents,
    queried: rawData.map((document) => deserialize(document)),
  };
}
