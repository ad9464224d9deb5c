import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@connectrpc/connect';
import { DuckDBInstance } from '@duckdb/node-api';
import { serialize } from 'bson';
import { DataService } from '../src/gen/viam/app/data/v1/data_pb';
import { BenchFleet } from './support/benchFleet';
import { fillReadings } from './support/bulkData';
import { median, milliseconds, quickOrFull, report, runBenchmark } from './support/figures';

/**
 * With fewer readings, the fixed costs of a query would hide the work: the call, a database of its
 * own that can't read anything else, and closing it.
 */
const READINGS = quickOrFull(300_000, 600_000);
const ROUNDS = quickOrFull(3, 7);
const WARM_UP_ROUNDS = 2;

/** Query that takes DuckDB well over 100 ms. */
const SQL = `select date_trunc('hour', time_received) as hour, data.readings.state as state,
    avg(cast(data.readings.temperature as double)) as temperature,
    max(cast(data.readings.humidity as integer)) as humidity, count(*) as count
  from readings where data.readings.temperature > 21 group by all order by hour, state limit 100`;

/** The same query, but on the columns of the files. */
const DIRECT_SQL = SQL.replaceAll(
  /data\.readings\.(\w+) > 21/g,
  "cast(data->>'$.readings.$1' as double) > 21",
).replaceAll(/data\.readings\.(\w+)/g, "(data->>'$.readings.$1')");

const PIPELINE = [
  { $match: { 'data.readings.temperature': { $gt: 21 } } },
  {
    $group: {
      _id: '$data.readings.state',
      temperature: { $avg: '$data.readings.temperature' },
      humidity: { $max: '$data.readings.humidity' },
      count: { $sum: 1 },
    },
  },
  { $sort: { _id: 1 } },
];

const DIRECT_GROUP = `select data->>'$.readings.state' as _id,
    avg(cast(data->>'$.readings.temperature' as double)) as temperature,
    max(cast(data->>'$.readings.humidity' as double)) as humidity, count(*) as count
  from readings where cast(data->>'$.readings.temperature' as double) > 21 group by 1 order by 1`;

/**
 * Measures SQL and MQL queries through the service, compared with running the same queries in
 * DuckDB directly on the service's files. Also measures a query that reads no data, which has the
 * same fixed costs: the call, a database that can't read anything else (settings and view 2 ms,
 * parsing and naming the columns 4 ms), and closing the database, before which its files aren't
 * released (5 ms).
 */
runBenchmark(async () => {
  await using fleet = await BenchFleet.start();
  await fleet.whileStopped(() => fillReadings(fleet.databaseFile, fleet.part, READINGS));
  const data = createClient(DataService, fleet.transport());
  const { headers } = fleet;
  const { organizationId } = fleet.key;
  const sql = async (sqlQuery: string): Promise<number> =>
    (await data.tabularDataBySQL({ organizationId, sqlQuery }, { headers })).rawData.length;
  const mql = async (): Promise<number> => {
    const mqlBinary = PIPELINE.map((stage) => serialize(stage));
    return (await data.tabularDataByMQL({ organizationId, mqlBinary }, { headers })).rawData.length;
  };

  // The first query seals all readings.
  const sealing = await milliseconds(() => sql('select count(*) from readings'));
  const folder = join(fleet.directory, 'lake', organizationId);
  const files = readdirSync(folder).filter((name) => name.endsWith('.parquet'));
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  await connection.run(
    `create view readings as select * from read_parquet([${files
      .map((name) => `'${join(folder, name)}'`)
      .join(', ')}])`,
  );
  const direct = async (query: string): Promise<number> =>
    (await connection.runAndReadAll(query)).currentRowCount;

  const compare = async (
    name: string,
    aim: `<= ${number}`,
    ours: () => Promise<number>,
    bare: () => Promise<number>,
  ): Promise<void> => {
    const times: Record<'ours' | 'bare' | 'fixed', number[]> = { ours: [], bare: [], fixed: [] };
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      const counts: number[] = [];
      const timed = async (work: () => Promise<number>): Promise<number> =>
        milliseconds(async () => counts.push(await work()));
      const figures = [await timed(ours), await timed(bare)] as const;
      if (counts[0] !== counts[1]) throw new Error(`${name} answers ${counts.join(' and ')} rows.`);
      const fixed = await milliseconds(() => sql('select 1 as n'));
      if (round < 0) continue;
      times.ours.push(figures[0]);
      times.bare.push(figures[1]);
      times.fixed.push(fixed);
    }
    report({
      name: `${name} over ${READINGS} readings`,
      ratio: median(times.ours) / median(times.bare),
      against: 'the same question asked directly in DuckDB of the same files',
      aim,
      milliseconds: Math.round(median(times.ours)),
      bareMilliseconds: Math.round(median(times.bare)),
      fixedMilliseconds: Math.round(median(times.fixed)),
      ratioWithoutFixedCosts: Number(
        ((median(times.ours) - median(times.fixed)) / median(times.bare)).toFixed(3),
      ),
      sealingMilliseconds: Math.round(sealing),
      files: files.length,
    });
  };
  try {
    await compare(
      'SQL',
      '<= 1.1',
      () => sql(SQL),
      () => direct(DIRECT_SQL),
    );
    await compare('MQL', '<= 1.2', mql, () => direct(DIRECT_GROUP));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
});
