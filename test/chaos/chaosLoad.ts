import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@connectrpc/connect';
import { deserialize } from 'bson';
import { DataService } from '../../src/gen/viam/app/data/v1/data_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { RobotService } from '../../src/gen/viam/app/v1/robot_pb';
import type { Random } from '../support/seededRandom';
import { type ChaosCalls, Tally } from './chaosCalls';
import type { ChaosNode } from './chaosNode';
import { type ChaosPart, createLines, toHash, uploadImage, uploadReadings } from './chaosParts';
import { followTail } from './followTail';

const PAUSE_MS = 20;
const SLOW_PAUSE_MS = 100;
const QUERY_PAUSE_MS = 2_000;
const MAX_IMAGE_BYTES = 20_000;
const READINGS_AT_ONCE = 5;
const MAX_LINES_AT_ONCE = 20;
/** Longer than a query waits for the lease of a node that was killed. */
const QUERY_TIMEOUT_MS = 40_000;

export interface ChaosLoadOptions {
  readonly calls: ChaosCalls;
  readonly nodes: readonly ChaosNode[];
  readonly parts: readonly ChaosPart[];
  readonly random: Random;
  /** Number of calls, as a multiple of the default. */
  readonly rate: number;
  /** Aborts at the end of the run. */
  readonly over: AbortSignal;
}

/** Lines that a tail has received from its start to its end. */
export interface ReceivedTail {
  readonly partId: string;
  readonly lines: string[];
}

/** Mixed load on the nodes, with a record of the writes that they have acknowledged. */
export class ChaosLoad {
  readonly tallies = {
    lines: new Tally(),
    configs: new Tally(),
    machines: new Tally(),
    images: new Tally(),
    readings: new Tally(),
  };
  /** Number of acknowledged lines by part. */
  readonly lineCounts = new Map<string, number>();
  /** Versions of acknowledged configs by part. */
  readonly configVersions = new Map<string, number[]>();
  readonly machineNames: string[] = [];
  /** IDs and hashes of acknowledged images by name. */
  readonly images = new Map<string, { id: string; hash: string }>();
  readonly readings: number[] = [];
  readonly tails: ReceivedTail[] = [];
  /** Queries during the run. Each must have all acknowledged readings, and each only once. */
  readonly queries = { count: 0, failed: 0, lost: 0, doubled: 0, maxMs: 0 };

  constructor(
    private readonly options: ChaosLoadOptions,
    /** Part that sends images and readings. */
    private readonly first: ChaosPart,
  ) {}

  /** Runs until the end of the run. */
  async run(): Promise<void> {
    const { nodes, parts } = this.options;
    await Promise.all([
      ...parts.flatMap((part) => [
        this.writeLines(part),
        this.writeConfigs(part),
        ...nodes.map((node) => this.followLines(node, part)),
      ]),
      this.writeMachines(),
      this.writeImages(),
      this.writeReadings(),
      this.runQueries(),
    ]);
  }

  private pause(durationMs: number): Promise<void> {
    return sleep(durationMs / this.options.rate);
  }

  /** Sends each line until it is acknowledged. The service must ignore repeated lines. */
  private async writeLines({ id, token }: ChaosPart): Promise<void> {
    const { calls, random, over } = this.options;
    for (let sent = 0; !over.aborted;) {
      const count = 1 + Math.floor(random() * MAX_LINES_AT_ONCE);
      const logs = createLines(sent, count);
      await calls.retry(({ open }, signal) =>
        createClient(RobotService, open(token)).log({ id, logs }, { signal }),
      );
      sent += count;
      this.lineCounts.set(id, sent);
      await this.pause(PAUSE_MS);
    }
  }

  private async writeConfigs({ id }: ChaosPart): Promise<void> {
    const { calls, over } = this.options;
    const versions: number[] = [];
    this.configVersions.set(id, versions);
    for (let version = 1; !over.aborted; version += 1) {
      const robotConfigJson = JSON.stringify({ version });
      const answer = await calls.writeOnce(this.tallies.configs, ({ open, token }, signal) =>
        createClient(AppService, open(token)).updateRobotPart(
          { id, name: 'main', robotConfigJson },
          { signal },
        ),
      );
      if (answer !== undefined) versions.push(version);
      await this.pause(PAUSE_MS);
    }
  }

  private async writeMachines(): Promise<void> {
    const { calls, over } = this.options;
    const location = this.first.locationId;
    for (let index = 0; !over.aborted; index += 1) {
      const name = `rover-${String(index)}`;
      const answer = await calls.writeOnce(this.tallies.machines, ({ open, token }, signal) =>
        createClient(AppService, open(token)).newRobot({ name, location }, { signal }),
      );
      if (answer !== undefined) this.machineNames.push(name);
      await this.pause(SLOW_PAUSE_MS);
    }
  }

  private async writeImages(): Promise<void> {
    const { calls, random, over } = this.options;
    for (let index = 0; !over.aborted; index += 1) {
      const name = `image-${String(index)}`;
      const value = randomBytes(1 + Math.floor(random() * MAX_IMAGE_BYTES));
      const upload = uploadImage(this.first, name, value);
      const id = await calls.writeOnce(this.tallies.images, upload);
      if (id !== undefined) this.images.set(name, { id, hash: toHash(value) });
      await this.pause(SLOW_PAUSE_MS);
    }
  }

  private async writeReadings(): Promise<void> {
    const { calls, over } = this.options;
    for (let next = 0; !over.aborted; next += READINGS_AT_ONCE) {
      const numbers = Array.from({ length: READINGS_AT_ONCE }, (_, index) => next + index);
      const upload = uploadReadings(this.first, numbers);
      const answer = await calls.writeOnce(this.tallies.readings, upload);
      if (answer !== undefined) this.readings.push(...numbers);
      await this.pause(PAUSE_MS);
    }
  }

  private async runQueries(): Promise<void> {
    const { calls, over, nodes } = this.options;
    while (!over.aborted) {
      const acknowledged = this.readings.length;
      const start = performance.now();
      try {
        const { rawData } = await calls.call(
          ({ owner: { organizationId }, open, token }, signal) =>
            createClient(DataService, open(token)).tabularDataBySQL(
              {
                organizationId,
                sqlQuery:
                  'select count(*) as rows, count(distinct data.readings.n) as numbers from readings',
              },
              { signal },
            ),
          nodes,
          QUERY_TIMEOUT_MS,
        );
        const { rows, numbers } = deserialize(rawData[0] ?? new Uint8Array());
        this.queries.count += 1;
        this.queries.lost += Math.max(0, acknowledged - Number(numbers));
        this.queries.doubled += Number(rows) - Number(numbers);
        this.queries.maxMs = Math.max(this.queries.maxMs, Math.round(performance.now() - start));
      } catch {
        this.queries.failed += 1;
      }
      await this.pause(QUERY_PAUSE_MS);
    }
  }

  private followLines(node: ChaosNode, { id: partId }: ChaosPart): Promise<void> {
    let lines: string[] = [];
    const reader = {
      opened: () => {
        lines = [];
        this.tails.push({ partId, lines });
      },
      received: (messages: readonly string[]) => lines.push(...messages),
      failed: () => undefined,
    };
    return followTail(node, partId, reader, this.options.over);
  }
}
