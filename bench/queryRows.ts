import type { QueryRun } from '../src/core/query/queryRun';
import { resultChart } from '../src/core/query/results/chart/resultChart';
import type { RowsView } from '../src/core/query/results/resultViews';
import { median, quickOrFull, report, runBenchmark } from './support/figures';
import { type Answered, QueryFleet } from './support/queryFleet';
import { watched, type WatchedWork } from './support/turnWatch';

const READINGS = Number(process.env.FLEETWRIGHT_BENCH_READINGS ?? quickOrFull(50_000, 1_000_000));
const ROUNDS = 5;
const BYTES_PER_MEBIBYTE = 1024 * 1024;

/**
 * Measures a query for all of a large number of readings: the time until the first and the last
 * row, compared with streaming and discarding the same rows; the processing of the rows; and the
 * longest block of the event loop.
 */
runBenchmark(async () => {
  await using fleet = await QueryFleet.start(READINGS);
  const streamed: Answered[] = [];
  const stored: Answered[] = [];
  let run = await fleet.result();
  let cost: WatchedWork | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    run.dispose();
    streamed.push(await fleet.stream());
    cost = await watched(async () => (run = await fleet.result()));
    stored.push({ first: run.status.firstRowMs ?? NaN, last: run.status.elapsedMs });
  }
  for (const which of ['first', 'last'] as const) {
    // The first row takes some 30 ms, to which other load on the computer often adds as much. It
    // only ever adds time, so the fastest rounds show the cost of the result.
    const typical = (values: readonly number[]): number =>
      which === 'first' ? Math.min(...values) : median(values);
    const [ours, bare] = [stored, streamed].map((rounds) =>
      typical(rounds.map((answer) => answer[which])),
    );
    report({
      name: `the ${which} row of ${READINGS} in a result`,
      ratio: (ours ?? NaN) / (bare ?? NaN),
      against: 'the same stream, thrown away',
      aim: '<= 1.5',
      ...cost,
      milliseconds: Math.round(ours ?? NaN),
      streamedMilliseconds: Math.round(bare ?? NaN),
      resultMebibytes: Math.round(run.status.bytes / BYTES_PER_MEBIBYTE),
    });
  }
  const streamedMs = median(streamed.map(({ last }) => last));
  for (const [name, work] of Object.entries(worksOn(run))) {
    const { milliseconds, ...others } = await watched(work);
    report({
      name: `${name} of ${READINGS} rows`,
      ratio: milliseconds / streamedMs,
      against: 'the stream of the rows, thrown away',
      aim: '<= 0.5',
      milliseconds,
      ...others,
    });
  }
});

function worksOn({ table, views }: QueryRun): Record<string, () => Promise<unknown>> {
  const { signal } = new AbortController();
  const column = (name: string): number => table.columns.findIndex((one) => one.name === name);
  const arrange = (view: RowsView) => (): Promise<unknown> => views.arrange(view, signal);
  const temperature = column('data.readings.temperature');
  const time = column('time_received');
  return {
    'sorting by number': arrange({ sort: { column: temperature, descending: false } }),
    'sorting by time': arrange({ sort: { column: time, descending: true } }),
    'sorting by text': arrange({
      sort: { column: column('data.readings.state'), descending: false },
    }),
    'filtering by a number': arrange({
      filters: [{ column: temperature, condition: 'greater', value: '27' }],
    }),
    'filtering by a time and a text': arrange({
      filters: [
        { column: time, condition: 'atLeast', value: '2026-01-01' },
        { column: column('data.readings.state'), condition: 'contains', value: 'HEAT' },
      ],
    }),
    'finding a text': arrange({ find: 'HEATING' }),
    'finding a number': arrange({ find: '27.3' }),
    'drawing a line': () =>
      resultChart(table, views, { view: {}, x: time, y: [temperature], series: undefined }, signal),
  };
}
