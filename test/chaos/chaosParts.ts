import { createHash } from 'node:crypto';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb';
import { DataSyncService, DataType } from '../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import type { ChaosCalls, Work } from './chaosCalls';

const START_MS = Date.UTC(2026, 0, 1);
const READING_STEP_MS = 20_000;

/** Part of a machine that sends data and logs. */
export interface ChaosPart {
  readonly id: string;
  readonly locationId: string;
  /** Access token of the part. */
  readonly token: string;
}

export const toHash = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Creates a machine in a location of its own. */
export async function createPart(calls: ChaosCalls, name: string): Promise<ChaosPart> {
  return calls.retry(async ({ owner: { organizationId }, open, token }) => {
    const app = createClient(AppService, open(token));
    const { location } = await app.createLocation({ organizationId, name });
    const locationId = location?.id ?? '';
    const { id: robotId } = await app.newRobot({ name, location: locationId });
    const [part] = (await app.getRobotParts({ robotId })).parts;
    const { accessToken } = await createClient(AuthService, open()).authenticate({
      entity: part?.id ?? '',
      credentials: { type: 'robot-secret', payload: part?.secrets[0]?.secret ?? '' },
    });
    return { id: part?.id ?? '', locationId, token: accessToken };
  });
}

/** Returns log entries with ascending numbers and times. */
export function createLines(first: number, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    message: String(first + index),
    level: 'info',
    time: timestampFromMs(START_MS + first + index),
  }));
}

/** Uploads an image and returns its ID. */
export function uploadImage(
  { id, token }: ChaosPart,
  fileName: string,
  value: Uint8Array,
  tags: string[] = [],
) {
  return (async ({ open }, signal) => {
    const sync = createClient(DataSyncService, open(token));
    const type = DataType.BINARY_SENSOR;
    const { binaryDataId } = await sync.dataCaptureUpload(
      {
        metadata: { partId: id, componentName: 'cam', fileName, fileExtension: '.jpg', tags, type },
        sensorContents: [{ data: { case: 'binary', value } }],
      },
      { signal },
    );
    return binaryDataId;
  }) satisfies Work<string>;
}

/** Uploads a numbered reading for each number. */
export function uploadReadings({ id, token }: ChaosPart, numbers: readonly number[]) {
  return (async ({ open }, signal) => {
    const sync = createClient(DataSyncService, open(token));
    await sync.dataCaptureUpload(
      {
        metadata: {
          partId: id,
          componentType: 'rdk:component:sensor',
          componentName: 'meter',
          methodName: 'Readings',
          type: DataType.TABULAR_SENSOR,
        },
        sensorContents: numbers.map((n) => {
          const time = timestampFromMs(START_MS + n * READING_STEP_MS);
          return {
            metadata: { timeRequested: time, timeReceived: time },
            data: { case: 'struct', value: { readings: { n } } },
          };
        }),
      },
      { signal },
    );
    return true;
  }) satisfies Work<boolean>;
}
