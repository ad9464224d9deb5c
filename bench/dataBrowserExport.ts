import { createClient } from '@connectrpc/connect';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportReadings } from '../src/core/data/export/exportReadings';
import type { RecordFormat } from '../src/core/data/export/writeRecords';
import { createGrpcWire } from '../src/core/api/grpcWire';
import { everyCapture } from '../src/core/model/captureFilter';
import { DataService } from '../src/gen/viam/app/data/v1/data_pb';
import { PartialFile } from '../src/files/partialFile';
import { englishWorkbook } from '../test/support/englishWorkbook';
import { BenchFleet } from './support/benchFleet';
import { BenchStores } from './support/benchStores';
import { fillReadings, SENSOR } from './support/bulkData';
import { median, milliseconds, quickOrFull, report, runBenchmark } from './support/figures';

const READINGS = Number(process.env.FLEETWRIGHT_BENCH_READINGS ?? quickOrFull(30_000, 300_000));
const ROUNDS = 3;
const FORMATS: readonly RecordFormat[] = ['csv', 'ndjson'];
const BYTES_PER_MEBIBYTE = 1024 * 1024;
/**
 * Interval between memory samples, in rows. The peak is measured separately for the first fifth of
 * the rows, during which the program reaches its base memory.
 */
const MEMORY_EVERY_ROWS = 10_000;
const FIRST_PART = 0.2;

const mebibytes = (bytes: number): number => Math.round(bytes / BYTES_PER_MEBIBYTE);

/**
 * Measures the data browser's export to disk in rows per second, compared with streaming the same
 * rows from the service and discarding them. Also measures the memory for many rows.
 */
runBenchmark(async () => {
  await using fleet = await BenchFleet.start();
  await fleet.whileStopped(() => fillReadings(fleet.databaseFile, fleet.part, READINGS));
  using opened = new BenchStores(fleet);
  const { readings } = opened.stores;
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-export-'));
  const path = join(folder, 'readings');
  const wire = createGrpcWire(fleet.url);
  const data = createClient(DataService, wire.open([]));
  const memory = { first: 0, later: 0 };

  const toDisk = async (format: RecordFormat): Promise<number> => {
    const file = await PartialFile.create(path);
    let reportedRows = 0;
    const rows = await exportReadings(readings, {
      format,
      file,
      workbook: englishWorkbook,
      filter: everyCapture,
      order: 'oldestFirst',
      signal: new AbortController().signal,
      sleep: () => Promise.reject(new Error('The service was gone.')),
      onProgress: (done) => {
        if (done - reportedRows < MEMORY_EVERY_ROWS) return;
        reportedRows = done;
        const stage = done < READINGS * FIRST_PART ? 'first' : 'later';
        memory[stage] = Math.max(memory[stage], process.memoryUsage().rss);
      },
    });
    await file.finish();
    return rows;
  };
  const stream = async (): Promise<number> => {
    let rows = 0;
    const request = {
      partId: fleet.part.part_id,
      resourceName: SENSOR.component_name,
      resourceSubtype: SENSOR.component_type,
      methodName: SENSOR.method_name,
    };
    for await (const row of data.exportTabularData(request, { headers: fleet.headers })) {
      rows += row.payload === undefined ? 0 : 1;
    }
    return rows;
  };
  const timed = (work: () => Promise<number>): Promise<number> =>
    milliseconds(async () => {
      const rows = await work();
      if (rows !== READINGS) throw new Error(`There are ${rows} rows.`);
    });

  try {
    const raw: number[] = [];
    const times = new Map<RecordFormat, number[]>(FORMATS.map((format) => [format, []]));
    const sizes = new Map<RecordFormat, number>();
    await stream();
    for (let round = 0; round < ROUNDS; round += 1) {
      raw.push(await timed(stream));
      for (const format of FORMATS) {
        times.get(format)?.push(await timed(() => toDisk(format)));
        sizes.set(format, statSync(path).size);
      }
    }
    for (const [format, all] of times) {
      report({
        name: `rows a second of the export to ${format}, ${READINGS} readings`,
        ratio: median(all.map((time, round) => (raw[round] ?? NaN) / time)),
        against: 'the same rows streamed by the service, thrown away',
        aim: '>= 0.5',
        rowsPerSecond: Math.round((READINGS * 1000) / median(all)),
        streamedRowsPerSecond: Math.round((READINGS * 1000) / median(raw)),
        fileMebibytes: mebibytes(sizes.get(format) ?? 0),
        memoryMebibytes: mebibytes(memory.later),
        memoryInFirstFifthMebibytes: mebibytes(memory.first),
      });
    }
  } finally {
    wire.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
});
