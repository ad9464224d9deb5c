import { join } from 'node:path';
import type { ClientHttp2Session } from 'node:http2';
import { DatabaseSync } from 'node:sqlite';
import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  type DataCaptureUploadRequest,
  DataCaptureUploadRequestSchema,
  DataSyncService,
  DataType,
} from '../src/gen/viam/app/datasync/v1/data_sync_pb';
import { openSqliteStore } from '../src/service/store/openStore';
import { BenchFleet } from './support/benchFleet';
import { startChildServer } from './support/childServer';
import { callOnce, connectHttp2, envelope } from './support/unaryLoad';
import { median, milliseconds, quickOrFull, report, runBenchmark } from './support/figures';

/**
 * Number of readings per upload. A machine that captures ten values per second sends this many
 * every 30 seconds.
 */
const READINGS_PER_UPLOAD = 300;
const UPLOADS_PER_ROUND = 40;
/** Number of machines that upload concurrently. */
const UPLOADERS = 4;
const ROUNDS = quickOrFull(5, 9);
const WARM_UP_ROUNDS = 2;
const READINGS_PER_ROUND = READINGS_PER_UPLOAD * UPLOADS_PER_ROUND;
const START_MS = Date.UTC(2026, 0, 1);
const READING_MS = 100;

const createPayload = (n: number) => ({
  readings: {
    temperature: 20 + (n % 100) / 10,
    humidity: 40 + (n % 7),
    pressure: 1013.25 - (n % 13) / 4,
    state: n % 50 === 0 ? 'heating' : 'idle',
    is_open: n % 20 === 0,
  },
});

function createUpload(partId: string, first: number): DataCaptureUploadRequest {
  return create(DataCaptureUploadRequestSchema, {
    metadata: {
      partId,
      componentType: 'rdk:component:sensor',
      componentName: 'climate',
      methodName: 'Readings',
      type: DataType.TABULAR_SENSOR,
    },
    sensorContents: Array.from({ length: READINGS_PER_UPLOAD }, (_, n) => {
      const time = timestampFromMs(START_MS + (first + n) * READING_MS);
      return {
        metadata: { timeRequested: time, timeReceived: time },
        data: { case: 'struct', value: createPayload(first + n) },
      } as const;
    }),
  });
}

/** Inserts the same rows directly into a database with the same tables, settings, and disk. */
class RawStore implements Disposable {
  private constructor(private readonly database: DatabaseSync) {}

  static async open(file: string): Promise<RawStore> {
    const store = await openSqliteStore(file);
    await store.destroy();
    const database = new DatabaseSync(file, { enableForeignKeyConstraints: true });
    database.exec(`pragma journal_mode = wal; pragma synchronous = full;
      insert into organizations (id, name, created_at, default_region, metadata)
        values ('acme', 'Acme', 1, '', '{}');
      insert into reading_series values (1, '', 'acme', '', '', '', '', '', '', '', '', '', null, '', '')`);
    return new RawStore(database);
  }

  /**
   * Inserts readings as fast as the database can, with `inTransaction` readings per transaction.
   */
  insert(first: number, count: number, inTransaction: number): void {
    const insert = this.database.prepare(
      `insert into readings (series_id, organization_id, requested_at, received_at, synced_at, size, payload)
        values (1, 'acme', ?, ?, 1, ?, ?)`,
    );
    for (let start = first; start < first + count; start += inTransaction) {
      this.database.exec('begin immediate');
      for (let n = start; n < start + inTransaction; n += 1) {
        const payload = JSON.stringify(createPayload(n));
        const micros = (START_MS + n * READING_MS) * 1000;
        insert.run(micros, micros, payload.length, payload);
      }
      this.database.exec('commit');
    }
  }

  [Symbol.dispose](): void {
    this.database.close();
  }
}

/**
 * Measures DataCaptureUpload in readings per second, compared with the simplest server that receives
 * the same uploads and stores them as durably. Also reports the ratio to direct inserts into the
 * database, which no service can reach: receiving and decoding the uploads with the library takes the
 * bare server more than twice as much processor time as the inserts.
 */
runBenchmark(async () => {
  await using fleet = await BenchFleet.start();
  const bareFile = join(fleet.directory, '..', 'bare.db');
  (await RawStore.open(bareFile))[Symbol.dispose]();
  const bareServer = await startChildServer('ingestServer.ts', bareFile);
  const [session, bareSession] = [connectHttp2(fleet.url), connectHttp2(bareServer.url)];
  const { authorization } = fleet.headers;
  const path = `/${DataSyncService.typeName}/${DataSyncService.method.dataCaptureUpload.name}`;
  using raw = await RawStore.open(join(fleet.directory, '..', 'raw.db'));
  let next = 0;
  let nextRaw = 0;
  const times: Record<'ours' | 'bare' | 'raw' | 'rawAtOnce', number[]> = {
    ours: [],
    bare: [],
    raw: [],
    rawAtOnce: [],
  };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const first = next;
    next += READINGS_PER_ROUND;
    // Encoded in advance, so that the machine's work isn't measured as the service's.
    const uploads = Array.from({ length: UPLOADS_PER_ROUND }, (_, n) =>
      envelope(
        toBinary(
          DataCaptureUploadRequestSchema,
          createUpload(fleet.part.part_id, first + n * READINGS_PER_UPLOAD),
        ),
      ),
    );
    const uploadAll = async (target: ClientHttp2Session): Promise<number> => {
      const waiting = [...uploads];
      return milliseconds(() =>
        Promise.all(
          Array.from({ length: UPLOADERS }, async () => {
            for (let upload = waiting.pop(); upload !== undefined; upload = waiting.pop()) {
              await callOnce(target, { path, authorization }, upload);
            }
          }),
        ),
      );
    };
    const insertRaw = async (inTransaction: number): Promise<number> => {
      const start = nextRaw;
      nextRaw += READINGS_PER_ROUND;
      return milliseconds(() => {
        raw.insert(start, READINGS_PER_ROUND, inTransaction);
        return Promise.resolve();
      });
    };
    const figures = [
      await uploadAll(session),
      await uploadAll(bareSession),
      await insertRaw(READINGS_PER_UPLOAD),
      await insertRaw(READINGS_PER_ROUND),
    ] as const;
    if (round < 0) continue;
    times.ours.push(figures[0]);
    times.bare.push(figures[1]);
    times.raw.push(figures[2]);
    times.rawAtOnce.push(figures[3]);
  }
  session.close();
  bareSession.close();
  bareServer.stop();
  const perSecond = (all: readonly number[]): number =>
    Math.round((READINGS_PER_ROUND * 1000) / median(all));
  const ratioTo = (yardstick: readonly number[]): number =>
    median(times.ours.map((time, n) => (yardstick[n] ?? NaN) / time));
  report({
    name: 'readings a second through DataCaptureUpload',
    ratio: ratioTo(times.bare),
    against:
      'a bare connect-node server that inserts the readings of each upload into the same kind of store, as durably',
    aim: '>= 0.8',
    readingsPerSecond: perSecond(times.ours),
    bareReadingsPerSecond: perSecond(times.bare),
    rawReadingsPerSecond: perSecond(times.raw),
    ratioToRawInserts: Number(ratioTo(times.raw).toFixed(3)),
    ratioToOneTransactionARound: Number(ratioTo(times.rawAtOnce).toFixed(3)),
    readingsPerUpload: READINGS_PER_UPLOAD,
  });
});
