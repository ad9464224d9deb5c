import assert from 'node:assert/strict';
import { deserialize } from 'bson';
import { insertReadings } from '../../src/service/handlers/data/uploads';
import type { ReadingsLake } from '../../src/service/lake/readingsLake';
import type { QueryProcesses } from '../../src/service/query/queryProcesses';
import { lastReadingId } from '../../src/service/store/data/lakeManifest';
import { deleteReadings } from '../../src/service/store/data/readingsDeletion';
import type { Store } from '../../src/service/store/store';
import { openQueryProcesses } from './openQueryProcesses';
import { organizationRow, seriesRow } from './lakeRows';
import { postgresForTests, type TestPostgres } from './postgres';

const DAY = 86_400_000_000;
const READINGS = 10;

export const RACE_START = Date.UTC(2026, 0, 1) * 1000;
export const RACE_ORGANIZATION = 'acme';

/** Servers for suites that read, write, and delete readings at the same time. */
export class ReadingsRace implements AsyncDisposable {
  private constructor(
    readonly runner: QueryProcesses,
    readonly postgres: TestPostgres,
  ) {}

  static async start(): Promise<ReadingsRace> {
    const runner = await openQueryProcesses();
    return new ReadingsRace(runner, await postgresForTests());
  }

  /** Returns the numbers in all readings according to a query. */
  async query(lake: ReadingsLake): Promise<Set<number>> {
    await using snapshot = await lake.snapshot(RACE_ORGANIZATION, { recent: false });
    const { readings } = snapshot;
    const numbers: number[] = [];
    const sql = 'select data.n as n from readings';
    for await (const document of this.runner.run({ kind: 'sql', sql, readings })) {
      numbers.push(Number(deserialize(document).n));
    }
    return toUnique(numbers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.runner.close();
    await this.postgres.stop();
  }
}

/** Numbers that were uploaded. */
export class RacingUploads {
  readonly acknowledged = new Set<number>();
  /** False when all uploads have finished. */
  isWriting = true;
  readonly finished: Promise<void>;

  private constructor(store: Store, { writers, uploads }: { writers: number; uploads: number }) {
    this.finished = Promise.all(
      Array.from({ length: writers }, (_, writer) => this.write(store, writer, uploads)),
    ).then(
      () => {
        this.isWriting = false;
      },
      (error: unknown) => {
        this.isWriting = false;
        throw error;
      },
    );
  }

  /** Creates the organization and starts the uploads of several machines. */
  static async begin(
    store: Store,
    options: { writers: number; uploads: number },
  ): Promise<RacingUploads> {
    const organization = organizationRow(RACE_ORGANIZATION);
    await store.insertInto('organizations').values(organization).execute();
    return new RacingUploads(store, options);
  }

  /**
   * Asserts that each read has all even numbers that were acknowledged before it; odd ones are
   * deleted.
   */
  async readWhileWriting(read: () => Promise<Set<number>>): Promise<void> {
    while (this.isWriting) {
      const before = [...this.acknowledged];
      const numbers = await read();
      const missing = before.filter((n) => n % 2 === 0 && !numbers.has(n));
      assert.deepEqual(missing, []);
    }
  }

  /** Uploads the data of one machine; each upload has readings of two series over three days. */
  private async write(store: Store, writer: number, uploads: number): Promise<void> {
    for (let upload = 0; upload < uploads; upload += 1) {
      const base = (writer * uploads + upload) * READINGS * 2;
      for (const parity of [0, 1]) {
        const values = Array.from({ length: READINGS }, (_, index) => base + index * 2 + parity);
        await store.transaction().execute((transaction) =>
          insertReadings(
            transaction,
            seriesRow(RACE_ORGANIZATION, parity === 0 ? 'even' : 'odd'),
            values.map((n) => ({
              requestedAt: RACE_START + (n % 3) * DAY + n * 1000,
              receivedAt: RACE_START,
              payload: JSON.stringify({ n }),
            })),
            RACE_START,
          ),
        );
        for (const n of values) this.acknowledged.add(n);
      }
    }
  }
}

/** Deletes the readings with odd numbers. */
export async function deleteOdd(store: Store): Promise<number> {
  return deleteReadings(
    store,
    {
      organizationId: RACE_ORGANIZATION,
      series: { scopes: [], columns: [{ column: 'component_name', anyOf: ['odd'] }] },
      beforeDay: undefined,
      throughId: await lastReadingId(store),
    },
    new AbortController().signal,
  );
}

/** Returns numbers as a set; asserts that each exists only once. */
export function toUnique(numbers: readonly number[]): Set<number> {
  const unique = new Set(numbers);
  assert.equal(unique.size, numbers.length, 'a reading is there twice');
  return unique;
}

/** Returns numbers in ascending order. */
export function sorted(numbers: Iterable<number>): number[] {
  return [...numbers].sort((a, b) => a - b);
}
