// Chaos run of two nodes: mixed load while nodes are killed and links to the database, the bucket,
// and NATS are cut. Counts acknowledged writes that are lost or doubled, and gaps in tails.
//   node scripts/pinned.mjs test/chaos/nodes.ts [--minutes 10] [--seed 1]
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { deserialize } from 'bson';
import { Client as DatabaseClient } from 'pg';
import { DataService } from '../../src/gen/viam/app/data/v1/data_pb';
import { DataSyncService, DataType } from '../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { RobotService } from '../../src/gen/viam/app/v1/robot_pb';
import { seededRandom } from '../support/seededRandom';
import type { ChaosNode, NodeConnection } from './chaosNode';
import { openStage, type Stage } from './chaosStage';
import type { Link } from './link';

const PARTS = 4;
const PAUSE_MS = 20;
const RETRY_MS = 100;
const START_MS = Date.UTC(2026, 0, 1);
const MAX_IMAGE_BYTES = 20_000;
const READINGS_AT_ONCE = 5;
const READING_STEP_MS = 20_000;
const MAX_LINES_AT_ONCE = 20;
const SLOW_PAUSE_MS = 100;
const QUERY_PAUSE_MS = 2_000;
const CALL_TIMEOUT_MS = 15_000;
const MIN_CUT_MS = 300;
const CUT_RANGE_MS = 5_000;
const MIN_EVENT_PAUSE_MS = 2_000;
const EVENT_PAUSE_RANGE_MS = 4_000;
const MAX_ERROR_CHARS = 80;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
});
const toHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Counters of one kind of write. */
class Tally {
  acknowledged = 0;
  failed = 0;
  lost = 0;
  doubled = 0;

  /** Counts what is stored, given how often each acknowledged or attempted write is there. */
  check(acknowledged: Iterable<string | number>, stored: readonly (string | number)[]): void {
    const counts = new Map<string | number, number>();
    for (const key of stored) counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const key of acknowledged) {
      this.acknowledged += 1;
      if (!counts.has(key)) this.lost += 1;
    }
    for (const count of counts.values()) this.doubled += count - 1;
  }
}

interface ChaosPart {
  id: string;
  locationId: string;
  token: string;
  /** Number of lines that were sent and, at the end, acknowledged. */
  lines: number;
  versions: number[];
}

function fail(): never {
  throw new Error('no part was created');
}

async function runChaos(stage: Stage): Promise<void> {
  const endAt = performance.now() + Number(values.minutes) * 60_000;
  const random = seededRandom(Number(values.seed));
  const isOver = (): boolean => performance.now() > endAt;
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const { nodes, nats, natsLink, bucketLink, databaseUrl } = stage;
  const tallies = {
    lines: new Tally(),
    configs: new Tally(),
    machines: new Tally(),
    images: new Tally(),
    readings: new Tally(),
  };
  const events: Record<string, number> = {};
  const errors: Record<string, number> = {};

  /** Calls a random running node. */
  async function call<T>(
    work: (node: NodeConnection, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    let live: NodeConnection[] = [];
    for (;;) {
      live = nodes.flatMap(({ connection }) => connection ?? []);
      if (live.length > 0) break;
      await sleep(RETRY_MS);
    }
    return work(pick(live), AbortSignal.timeout(CALL_TIMEOUT_MS));
  }

  async function retry<T>(
    work: (node: NodeConnection, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      try {
        return await call(work);
      } catch {
        await sleep(RETRY_MS);
      }
    }
  }

  /** Makes a write that isn't repeated. Returns undefined if it is unknown whether it succeeded. */
  async function writeOnce<T>(
    tally: Tally,
    work: (node: NodeConnection, signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await call(work);
    } catch (error) {
      tally.failed += 1;
      const { code, rawMessage } = ConnectError.from(error);
      const text = `${Code[code]}: ${rawMessage.slice(0, MAX_ERROR_CHARS)}`;
      errors[text] = (errors[text] ?? 0) + 1;
      await sleep(RETRY_MS);
      return undefined;
    }
  }

  async function createPart(name: string): Promise<ChaosPart> {
    return retry(async ({ owner: { organizationId }, open, token }) => {
      const app = createClient(AppService, open(token));
      const { location } = await app.createLocation({ organizationId, name });
      const locationId = location?.id ?? '';
      const { id: robotId } = await app.newRobot({ name, location: locationId });
      const { parts } = await app.getRobotParts({ robotId });
      const [part] = parts;
      const { accessToken } = await createClient(AuthService, open()).authenticate({
        entity: part?.id ?? '',
        credentials: { type: 'robot-secret', payload: part?.secrets[0]?.secret ?? '' },
      });
      return { id: part?.id ?? '', locationId, token: accessToken, lines: 0, versions: [] };
    });
  }

  /** Sends each line until it is acknowledged. The service must ignore repeated lines. */
  async function writeLines(part: ChaosPart): Promise<void> {
    while (!isOver()) {
      const count = 1 + Math.floor(random() * MAX_LINES_AT_ONCE);
      const logs = Array.from({ length: count }, (_, index) => ({
        message: String(part.lines + index),
        level: 'info',
        time: timestampFromMs(START_MS + part.lines + index),
      }));
      await retry(({ open }, signal) =>
        createClient(RobotService, open(part.token)).log({ id: part.id, logs }, { signal }),
      );
      part.lines += count;
      await sleep(PAUSE_MS);
    }
  }

  async function writeConfigs(part: ChaosPart): Promise<void> {
    for (let version = 1; !isOver(); version += 1) {
      const robotConfigJson = JSON.stringify({ version });
      const answer = await writeOnce(tallies.configs, ({ open, token }, signal) =>
        createClient(AppService, open(token)).updateRobotPart(
          { id: part.id, name: 'main', robotConfigJson },
          { signal },
        ),
      );
      if (answer !== undefined) part.versions.push(version);
      await sleep(PAUSE_MS);
    }
  }

  const machineNames: string[] = [];

  async function writeMachines({ locationId }: ChaosPart): Promise<void> {
    for (let index = 0; !isOver(); index += 1) {
      const name = `rover-${String(index)}`;
      const answer = await writeOnce(tallies.machines, ({ open, token }, signal) =>
        createClient(AppService, open(token)).newRobot({ name, location: locationId }, { signal }),
      );
      if (answer !== undefined) machineNames.push(name);
      await sleep(SLOW_PAUSE_MS);
    }
  }

  const images = new Map<string, { id: string; hash: string }>();

  async function writeImages(part: ChaosPart): Promise<void> {
    for (let index = 0; !isOver(); index += 1) {
      const name = `image-${String(index)}`;
      const value = randomBytes(1 + Math.floor(random() * MAX_IMAGE_BYTES));
      const answer = await writeOnce(tallies.images, ({ open }, signal) =>
        createClient(DataSyncService, open(part.token)).dataCaptureUpload(
          {
            metadata: {
              partId: part.id,
              componentName: 'cam',
              fileName: name,
              type: DataType.BINARY_SENSOR,
            },
            sensorContents: [{ data: { case: 'binary', value } }],
          },
          { signal },
        ),
      );
      if (answer !== undefined) images.set(name, { id: answer.binaryDataId, hash: toHash(value) });
      await sleep(SLOW_PAUSE_MS);
    }
  }

  const readings: number[] = [];

  async function writeReadings(part: ChaosPart): Promise<void> {
    for (let first = 0; !isOver(); first += READINGS_AT_ONCE) {
      const numbers = Array.from({ length: READINGS_AT_ONCE }, (_, index) => first + index);
      const answer = await writeOnce(tallies.readings, ({ open }, signal) =>
        createClient(DataSyncService, open(part.token)).dataCaptureUpload(
          {
            metadata: {
              partId: part.id,
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
              } as const;
            }),
          },
          { signal },
        ),
      );
      if (answer !== undefined) readings.push(...numbers);
      await sleep(PAUSE_MS);
    }
  }

  let queryCount = 0;

  async function runQueries(): Promise<void> {
    while (!isOver()) {
      await call(({ owner: { organizationId }, open, token }, signal) =>
        createClient(DataService, open(token)).tabularDataBySQL(
          { organizationId, sqlQuery: 'select count(*) from readings' },
          { signal },
        ),
      ).then(
        () => (queryCount += 1),
        () => undefined,
      );
      await sleep(QUERY_PAUSE_MS);
    }
  }

  /** Lines that a tail has received from its start to its end. */
  const tails: { part: ChaosPart; lines: string[] }[] = [];
  let missedLines = 0;

  /** Opens tails of a part on a node, each until it fails. */
  async function followLines(node: ChaosNode, part: ChaosPart): Promise<void> {
    const over = AbortSignal.timeout(Math.max(0, Math.ceil(endAt - performance.now())));
    while (!isOver()) {
      const { connection } = node;
      if (connection !== undefined) {
        const lines: string[] = [];
        tails.push({ part, lines });
        const { open, token } = connection;
        const app = createClient(AppService, open(token));
        try {
          for await (const { logs } of app.tailRobotPartLogs({ id: part.id }, { signal: over })) {
            lines.push(...logs.map(({ message }) => message));
          }
        } catch {
          // The node was killed, or can't check the caller's permission.
        }
      }
      await sleep(RETRY_MS);
    }
  }

  async function breakThings(): Promise<void> {
    const pause = (minimum: number, range: number): Promise<void> =>
      sleep(minimum + random() * range);
    const cut = async (link: Link): Promise<void> => {
      link.cut();
      await pause(MIN_CUT_MS, CUT_RANGE_MS);
      link.heal();
    };
    const actions: Record<string, () => Promise<void>> = {
      killNode: () => {
        pick(nodes).kill();
        return Promise.resolve();
      },
      killBothNodes: () => {
        for (const node of nodes) node.kill();
        return Promise.resolve();
      },
      cutDatabase: () => cut(pick(nodes).databaseLink),
      cutBucket: () => cut(bucketLink),
      cutNats: () => cut(natsLink),
      killNats: async () => {
        await nats.kill();
        await pause(MIN_CUT_MS, CUT_RANGE_MS);
        await nats.run();
      },
    };
    while (!isOver()) {
      await pause(MIN_EVENT_PAUSE_MS, EVENT_PAUSE_RANGE_MS);
      const name = pick(Object.keys(actions));
      events[name] = (events[name] ?? 0) + 1;
      await actions[name]?.();
    }
  }

  /** Counts the lines that a tail lacks or has twice, compared with the order in the store. */
  function countTailErrors(received: readonly string[], stored: readonly string[]): number {
    const lines = received.filter((line) => /^\d+$/.test(line));
    const [first] = lines;
    if (first === undefined) return 0;
    const start = stored.indexOf(first);
    return lines.filter((line, index) => stored[start + index] !== line).length;
  }

  const parts: ChaosPart[] = [];
  for (let index = 0; index < PARTS; index += 1) {
    parts.push(await createPart(`part ${String(index)}`));
  }
  const [first = fail()] = parts;
  await Promise.all([
    breakThings(),
    ...parts.flatMap((part) => [
      writeLines(part),
      writeConfigs(part),
      ...nodes.map((node) => followLines(node, part)),
    ]),
    writeMachines(first),
    writeImages(first),
    writeReadings(first),
    runQueries(),
  ]);

  const database = new DatabaseClient({ connectionString: databaseUrl });
  await database.connect();
  const select = async (text: string, ...parameters: string[]): Promise<string[]> => {
    const { rows } = await database.query<{ value: string }>(text, parameters);
    return rows.map(({ value }) => value);
  };
  let tailErrors = 0;
  let tailLines = 0;
  for (const part of parts) {
    const stored = await select(
      'select message as value from log_lines where part_id = $1 order by id',
      part.id,
    );
    const sent = Array.from({ length: part.lines }, (_, index) => String(index));
    tallies.lines.check(sent, stored);
    for (const { lines } of tails.filter((tail) => tail.part === part)) {
      missedLines += lines.filter((line) => /skipped|missed/i.test(line)).length;
      tailLines += lines.length;
      tailErrors += countTailErrors(lines, stored);
    }
    const configs = await select(
      `select config_json as value from parts where id = $1
       union all select old_config_json from part_revisions where part_id = $1`,
      part.id,
    );
    tallies.configs.check(
      part.versions.map((version) => JSON.stringify({ version })),
      configs
        .filter((config) => config.includes('version'))
        .map((config) => JSON.stringify(JSON.parse(config))),
    );
  }
  tallies.machines.check(
    machineNames,
    await select(
      "select name as value from machines where location_id = $1 and name like 'rover-%'",
      first.locationId,
    ),
  );
  tallies.images.check(images.keys(), await select('select file_name as value from binary_data'));
  for (const { id, hash } of images.values()) {
    const { data } = await retry(({ open, token }) =>
      createClient(DataService, open(token)).binaryDataByIDs({
        binaryDataIds: [id],
        includeBinary: true,
      }),
    );
    if (toHash(data[0]?.binary ?? Buffer.of()) !== hash) tallies.images.lost += 1;
  }
  const { rawData } = await retry(({ owner: { organizationId }, open, token }) =>
    createClient(DataService, open(token)).tabularDataBySQL({
      organizationId,
      sqlQuery: 'select cast(data.readings.n as integer) as n from readings',
    }),
  );
  tallies.readings.check(
    readings,
    rawData.map((row) => (deserialize(row) as { n: number }).n),
  );

  const starts = nodes.map((node) => node.starts);
  console.log(
    JSON.stringify(
      {
        ...values,
        events,
        starts,
        tallies,
        tails: { count: tails.length, lines: tailLines, errors: tailErrors, missedLines },
        queryCount,
        errors,
      },
      null,
      2,
    ),
  );
  const all = Object.values(tallies);
  const isGood = tailErrors === 0 && all.every(({ lost, doubled }) => lost + doubled === 0);
  process.exitCode = isGood ? 0 : 1;
  await database.end();
}

async function main(): Promise<void> {
  await using stage = await openStage();
  await runChaos(stage);
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
