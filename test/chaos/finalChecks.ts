import { createClient } from '@connectrpc/connect';
import { deserialize } from 'bson';
import { Client as DatabaseClient } from 'pg';
import { DataService } from '../../src/gen/viam/app/data/v1/data_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import type { ChaosCalls } from './chaosCalls';
import type { ChaosLoad } from './chaosLoad';
import type { ChaosNode } from './chaosNode';
import { type ChaosPart, toHash } from './chaosParts';

const PAGE_SIZE = 1000n;
const LIST_TIMEOUT_MS = 120_000;

/** Errors of all tails of a run. */
export interface TailErrors {
  readonly count: number;
  lines: number;
  /** Number of lines that are missing, doubled, or not in the order of the store. */
  errors: number;
  /** Number of lines that report that others were skipped. */
  skipped: number;
}

/** Compares what both nodes list and the database contains with what was acknowledged. */
export async function checkAll(
  calls: ChaosCalls,
  load: ChaosLoad,
  nodes: readonly ChaosNode[],
  parts: readonly ChaosPart[],
  databaseUrl: string,
): Promise<TailErrors> {
  const database = new DatabaseClient({ connectionString: databaseUrl });
  await database.connect();
  try {
    const tails = await checkParts(load, parts, database);
    for (const node of nodes) await checkLists(calls, load, [node], parts[0]?.locationId ?? '');
    await checkContents(calls, load);
    return tails;
  } finally {
    await database.end();
  }
}

async function checkParts(
  { tallies, tails, lineCounts, configVersions }: ChaosLoad,
  parts: readonly ChaosPart[],
  database: DatabaseClient,
): Promise<TailErrors> {
  const select = async (text: string, partId: string): Promise<string[]> => {
    const { rows } = await database.query<{ value: string }>(text, [partId]);
    return rows.map(({ value }) => value);
  };
  const result: TailErrors = { count: tails.length, lines: 0, errors: 0, skipped: 0 };
  let [lineCount, configCount] = [0, 0];
  for (const { id } of parts) {
    const stored = await select(
      'select message as value from log_lines where part_id = $1 order by id',
      id,
    );
    const sent = Array.from({ length: lineCounts.get(id) ?? 0 }, (_, index) => String(index));
    tallies.lines.check(sent, stored);
    lineCount += sent.length;
    for (const { lines } of tails.filter(({ partId }) => partId === id)) {
      result.lines += lines.length;
      result.skipped += lines.filter((line) => line.includes('skipped')).length;
      result.errors += countOutOfOrder(lines, stored);
    }
    const configs = await select(
      `select config_json as value from parts where id = $1
       union all select old_config_json from part_revisions where part_id = $1`,
      id,
    );
    const versions = configVersions.get(id) ?? [];
    tallies.configs.check(
      versions,
      configs.flatMap((config) => (JSON.parse(config) as { version?: number }).version ?? []),
    );
    configCount += versions.length;
  }
  tallies.lines.acknowledged = lineCount;
  tallies.configs.acknowledged = configCount;
  return result;
}

/** Counts the lines that a tail misses or has twice, compared with the order in the store. */
function countOutOfOrder(received: readonly string[], stored: readonly string[]): number {
  const lines = received.filter((line) => /^\d+$/.test(line));
  const [first] = lines;
  if (first === undefined) return 0;
  const start = stored.indexOf(first);
  return lines.filter((line, index) => stored[start + index] !== line).length;
}

async function checkLists(
  calls: ChaosCalls,
  { tallies, machineNames, images, readings }: ChaosLoad,
  nodes: readonly ChaosNode[],
  locationId: string,
): Promise<void> {
  const { robots } = await calls.retry(
    ({ open, token }) => createClient(AppService, open(token)).listRobots({ locationId }),
    nodes,
  );
  const rovers = robots.map(({ name }) => name).filter((name) => name.startsWith('rover-'));
  tallies.machines.check(machineNames, rovers);

  const names: string[] = [];
  for (let last: string | undefined = ''; last !== undefined;) {
    const page = await listImages(calls, nodes, last);
    names.push(...page.names);
    last = page.last;
  }
  tallies.images.check(images.keys(), names);

  const { rawData } = await calls.call(
    ({ owner: { organizationId }, open, token }, signal) =>
      createClient(DataService, open(token)).tabularDataBySQL(
        {
          organizationId,
          sqlQuery: 'select cast(data.readings.n as integer) as n from readings',
        },
        { signal },
      ),
    nodes,
    LIST_TIMEOUT_MS,
  );
  tallies.readings.check(
    readings,
    rawData.map((row) => (deserialize(row) as { n: number }).n),
  );
}

async function listImages(
  calls: ChaosCalls,
  nodes: readonly ChaosNode[],
  last: string,
): Promise<{ names: string[]; last: string | undefined }> {
  const page = await calls.retry(
    ({ open, token }) =>
      createClient(DataService, open(token)).binaryDataByFilter({
        dataRequest: { filter: {}, limit: PAGE_SIZE, last },
        includeBinary: false,
      }),
    nodes,
  );
  return {
    names: page.data.map(({ metadata }) => metadata?.fileName ?? ''),
    last: page.data.length === 0 ? undefined : page.last,
  };
}

/** Downloads all images from random nodes. */
async function checkContents(calls: ChaosCalls, { images, tallies }: ChaosLoad): Promise<void> {
  for (const { id, hash } of images.values()) {
    const { data } = await calls.retry(({ open, token }) =>
      createClient(DataService, open(token)).binaryDataByIDs({
        binaryDataIds: [id],
        includeBinary: true,
      }),
    );
    if (toHash(data[0]?.binary ?? Buffer.of()) !== hash) tallies.images.lost += 1;
  }
}
