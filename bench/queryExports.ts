import { statSync } from 'node:fs';
import { join } from 'node:path';
import { exportResult, type ResultFormat } from '../src/core/query/export/exportResult';
import type { QueryRun } from '../src/core/query/queryRun';
import { PartialFile } from '../src/files/partialFile';
import { englishWorkbook } from '../test/support/englishWorkbook';
import { median, quickOrFull, report, runBenchmark } from './support/figures';
import { QueryFleet } from './support/queryFleet';
import { watched } from './support/turnWatch';

const READINGS = Number(process.env.FLEETWRIGHT_BENCH_READINGS ?? quickOrFull(30_000, 1_000_000));
const CACHED_ROWS = 1_000;
const ROUNDS = quickOrFull(2, 3);
const FORMATS: readonly ResultFormat[] = ['ndjson', 'csv', 'parquet'];
const BYTES_PER_MEBIBYTE = 1024 * 1024;

/**
 * Measures exports of all rows of a query, most of which aren't cached, compared with streaming and
 * discarding the same rows.
 */
runBenchmark(async () => {
  await using fleet = await QueryFleet.start(READINGS);
  const run = await fleet.result(CACHED_ROWS);
  const path = join(fleet.folder, 'result');
  for (const format of FORMATS) {
    const ratios: number[] = [];
    const costs = [];
    // Compiles the format's modules, which are compiled ahead of time in the extension.
    await write(run, format, fleet, path);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { last } = await fleet.stream();
      const cost = await watched(() => write(run, format, fleet, path));
      costs.push(cost);
      ratios.push(last / cost.milliseconds);
    }
    const cost = costs.toSorted((a, b) => a.milliseconds - b.milliseconds)[1];
    report({
      name: `rows a second of the export to ${format}, ${READINGS} rows`,
      ratio: median(ratios),
      against: 'the same rows streamed by the service, thrown away',
      aim: format === 'parquet' ? '>= 0.7' : '>= 0.5',
      rowsPerSecond: Math.round((READINGS * 1000) / (cost?.milliseconds ?? NaN)),
      ...cost,
      fileMebibytes: Math.round(statSync(path).size / BYTES_PER_MEBIBYTE),
    });
  }
});

async function write(
  run: QueryRun,
  format: ResultFormat,
  { spools, readings }: QueryFleet,
  path: string,
): Promise<void> {
  const { signal } = new AbortController();
  const file = await PartialFile.create(path);
  const rows = await exportResult(run, {
    format,
    file,
    workbook: englishWorkbook,
    spools,
    signal,
    onProgress: () => undefined,
  });
  await file.finish();
  if (rows !== readings) throw new Error(`The file has ${rows} rows.`);
}
