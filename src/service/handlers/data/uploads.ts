import type { ServiceImpl } from '@connectrpc/connect';
import { sql } from 'kysely';
import {
  type DataSyncService,
  DataType,
  type SensorData,
  type UploadMetadata,
} from '../../../gen/viam/app/datasync/v1/data_sync_pb';
import { invalid, notFound } from '../../errors';
import { GroupCommit } from '../../store/groupCommit';
import { UploadStream } from '../uploadStream';
import { storeUpload } from './binaryUpload';
import type { DataDependencies } from './dataAccess';
import { inSlices } from '../../../base/slices';
import { checkJson } from '../../config/jsonLimits';
import type { ReadingsLake } from '../../lake/readingsLake';
import { componentKind, serializeMethodParameters } from '../../messages/dataMessages';
import { parameterLines, unpackParameters } from '../../messages/tabularMessages';
import { findCapturer } from '../../store/data/dataScope';
import { joinLines, type ReadingSeriesRow } from '../../store/data/dataSchema';
import { newId } from '../../store/identifiers';
import type { Micros } from '../../store/micros';
import { type HandlerDependencies, requireName } from '../handlerSupport';
import { toStoredTime } from '../../messages/wireTimes';
import { requireTags } from './tags';
import { insertRows, shareOrganization, type StoreAccess } from '../../store/store';
import { toUtcDay } from '../../store/data/dayCounts';
import { ensureSeriesId } from '../../store/data/readingsFilter';

type UploadOperations = Pick<
  ServiceImpl<typeof DataSyncService>,
  'dataCaptureUpload' | 'fileUpload' | 'streamingDataCaptureUpload'
>;

const HEAD = 'the metadata';
const CHUNK_BYTES = 256 * 1024;

/** Receives data captured by machines and users (spec part 1, upload operations). */
export function uploadHandlers(dependencies: DataDependencies): UploadOperations {
  const commits = new GroupCommit(dependencies.store);
  return {
    async dataCaptureUpload({ metadata, sensorContents }, context) {
      if (metadata?.type === DataType.TABULAR_SENSOR) {
        return {
          fileId: await storeReadings({ ...dependencies, commits }, metadata, sensorContents),
        };
      }
      if (metadata?.type !== DataType.BINARY_SENSOR) {
        throw invalid('metadata.type: must be DATA_TYPE_BINARY_SENSOR or DATA_TYPE_TABULAR_SENSOR');
      }
      const [content] = sensorContents;
      if (sensorContents.length !== 1 || content?.data.case !== 'binary') {
        throw invalid('sensor_contents: binary data must be exactly one content with binary');
      }
      const binaryDataId = await storeUpload(
        dependencies,
        { metadata, sensor: content.metadata },
        toChunks(content.data.value),
        context,
      );
      return { binaryDataId };
    },

    async fileUpload(requests, context) {
      const stream = await UploadStream.begin(requests, HEAD, context);
      const metadata = stream.head(({ uploadPacket: packet }) =>
        packet.case === 'metadata' ? packet.value : undefined,
      );
      const content = stream.readChunks(({ uploadPacket: packet }) =>
        packet.case === 'fileContents' ? packet.value.data : undefined,
      );
      return { binaryDataId: await storeUpload(dependencies, { metadata }, content, context) };
    },

    async streamingDataCaptureUpload(requests, context) {
      const stream = await UploadStream.begin(requests, HEAD, context);
      const description = stream.head(({ uploadPacket: packet }) => {
        const { uploadMetadata: metadata, sensorMetadata: sensor } =
          packet.case === 'metadata' ? packet.value : {};
        return metadata && { metadata, sensor };
      });
      const content = stream.readChunks(({ uploadPacket: packet }) =>
        packet.case === 'data' ? packet.value : undefined,
      );
      return { binaryDataId: await storeUpload(dependencies, description, content, context) };
    },
  };
}

/**
 * Splits large contents into chunks, because hashing them in a single step would block the event
 * loop.
 */
async function* toChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    yield await Promise.resolve(bytes.subarray(start, start + CHUNK_BYTES));
  }
}

/** Maximum size of one reading in the wire protocol: 4 MB of JSON. */
const MAX_READING_BYTES = 4_000_000;

/** Dependencies for storing readings. */
export interface ReadingsDependencies extends HandlerDependencies {
  lake: ReadingsLake;
  commits: GroupCommit;
}

/**
 * Stores the readings from one upload and returns its ID. Durably stores either all of the readings
 * or none.
 * @throws NotFound if the part was deleted, InvalidArgument if contents are not valid readings, are
 *   too large, or have times that can't be stored.
 */
async function storeReadings(
  { now, lake, commits }: ReadingsDependencies,
  metadata: UploadMetadata,
  contents: readonly SensorData[],
): Promise<string> {
  requireName(metadata.componentType, 'metadata.component_type');
  requireName(metadata.componentName, 'metadata.component_name');
  requireName(metadata.methodName, 'metadata.method_name');
  requireTags(metadata.tags);
  const syncedAt = now();
  const readings = await inSlices(parseReadings(contents, syncedAt));
  const lines = parameterLines(unpackParameters(metadata.methodParameters));
  const organizationId = await commits.run(readings.length, async (transaction) => {
    const capturer = await findCapturer(transaction, metadata.partId);
    if (capturer === undefined) throw notFound('part', metadata.partId);
    const series = {
      ...capturer,
      component_type: metadata.componentType,
      component_kind: componentKind(metadata.componentType),
      component_name: metadata.componentName,
      method_name: metadata.methodName,
      method_parameters: serializeMethodParameters(metadata.methodParameters),
      parameters: joinLines(lines),
      tags: joinLines([...new Set(metadata.tags)].map((tag) => JSON.stringify(tag))),
    };
    await insertReadings(transaction, series, readings, syncedAt);
    return capturer.organization_id;
  });
  lake.readingsArrived(organizationId, readings.length);
  return newId();
}

function* parseReadings(
  contents: readonly SensorData[],
  now: Micros,
): Generator<NewReading, NewReading[], void> {
  const readings: NewReading[] = [];
  for (const [index, content] of contents.entries()) {
    const reading = parseReading(content, index, now);
    readings.push(reading);
    yield reading;
  }
  return readings;
}

function parseReading({ data, metadata }: SensorData, index: number, now: Micros): NewReading {
  const field = `sensor_contents[${String(index)}]`;
  if (data.case !== 'struct') throw invalid(`${field}: a reading must have its values in struct`);
  checkJson(data.value, `${field}.struct`);
  const payload = JSON.stringify(data.value);
  if (Buffer.byteLength(payload) > MAX_READING_BYTES) {
    throw invalid(`${field}.struct: a reading must not be larger than 4 MB as JSON`);
  }
  const { timeRequested, timeReceived } = metadata ?? {};
  const requested = toStoredTime(timeRequested, `${field}.metadata.time_requested`);
  const received = toStoredTime(timeReceived, `${field}.metadata.time_received`);
  return {
    requestedAt: requested ?? received ?? now,
    receivedAt: received ?? requested ?? now,
    payload,
  };
}

/** Series that doesn't have a row yet. */
export type NewSeries = Omit<ReadingSeriesRow, 'id' | 'series_key'>;

/** Received reading. */
export interface NewReading {
  requestedAt: Micros;
  receivedAt: Micros;
  /** JSON text. */
  payload: string;
}

const COLUMNS = [
  ...(['series_id', 'organization_id', 'requested_at', 'received_at'] as const),
  ...(['synced_at', 'size', 'payload'] as const),
] as const;

/**
 * Stores readings from one series. Must run in a transaction, which stores either all readings or
 * none.
 * @param syncedAt time when the service stores the readings.
 */
export async function insertReadings(
  access: StoreAccess,
  series: NewSeries,
  readings: readonly NewReading[],
  syncedAt: Micros,
): Promise<void> {
  const seriesId = await ensureSeriesId(access, 'reading_series', { ...series });
  const rows = readings.map((reading) => ({
    ...reading,
    size: Buffer.byteLength(reading.payload),
  }));
  await shareOrganization(access, series.organization_id);
  // Must be first, because it locks the days. Later holders of the lock then see every reading that
  // already has an ID.
  await countDays(access, seriesId, rows, syncedAt);
  await insertRows(
    access,
    'readings',
    COLUMNS,
    rows.map(({ requestedAt, receivedAt, size, payload }) => [
      ...([seriesId, series.organization_id, requestedAt, receivedAt] as const),
      ...([syncedAt, size, payload] as const),
    ]),
  );
}

async function countDays(
  access: StoreAccess,
  seriesId: number,
  rows: readonly (NewReading & { size: number })[],
  syncedAt: Micros,
): Promise<void> {
  const days = new Map<number, { count: number; bytes: number }>();
  for (const { requestedAt, size } of rows) {
    const day = toUtcDay(requestedAt);
    const { count, bytes } = days.get(day) ?? { count: 0, bytes: 0 };
    days.set(day, { count: count + 1, bytes: bytes + size });
  }
  // Always sorted in the same order to prevent deadlocks between uploads.
  for (const [day, { count, bytes }] of [...days].sort(([a], [b]) => a - b)) {
    await sql`insert into reading_days (series_id, day, row_count, byte_count, last_synced_at)
      values (${seriesId}, ${day}, ${count}, ${bytes}, ${syncedAt})
      on conflict (series_id, day) do update set
        row_count = reading_days.row_count + ${count},
        byte_count = reading_days.byte_count + ${bytes},
        last_synced_at = case when reading_days.last_synced_at > ${syncedAt}
          then reading_days.last_synced_at else ${syncedAt} end`.execute(access);
  }
}
