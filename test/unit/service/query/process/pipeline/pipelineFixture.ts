import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { deserialize, serialize } from 'bson';
import { documentsIn } from '../../../../../../src/core/model/query';
import type { DataShape, ReadingsFiles } from '../../../../../../src/service/query/queryJob';
import { BsonWriter } from '../../../../../../src/service/query/process/bsonWriter';
import {
  decodeStages,
  throughStages,
} from '../../../../../../src/service/query/process/pipeline/decodeStages';
import { encodeDocument, runPipeline } from '../../../../../../src/service/query/process/runJob';
import { Expressions } from '../../../../../../src/service/query/process/pipeline/expressions';
import { integerFields } from '../../../../../../src/service/query/process/pipeline/integerFields';
import { readSelection } from '../../../../../../src/service/query/process/pipeline/pushdown/readSelection';
import { allReadings } from '../../../../../../src/service/query/process/pipeline/pushdown/selection';
import { toStream } from '../../../../../../src/service/query/process/pipeline/stages/stageCompiler';
import {
  collect,
  type Document,
} from '../../../../../../src/service/query/process/pipeline/document';
import { createCollection } from './runOn';
import { openReadings } from '../../../../../../src/service/query/process/engineSession';

const LIMITS = { threads: 2, memoryBytes: 512 * 1024 * 1024 };

/** The fields of a reading that a test sets; the other fields are the same for all readings. */
export interface TestReading {
  component_name?: string;
  robot_id?: string;
  /** Time with microseconds, in DuckDB's format. */
  time?: string;
  tags?: readonly string[];
  data: Document;
}

/** A file of readings, with functions to run pipelines on it. */
export interface PipelineFixture extends AsyncDisposable {
  readings: ReadingsFiles;
  /** Returns the documents of a pipeline's result; converts BSON numbers to JavaScript numbers. */
  run(stages: readonly Document[]): Promise<Document[]>;
  /** Like `run`, but returns the documents with their exact types: `Int32`, `Double`, and so on. */
  runTyped(stages: readonly Document[]): Promise<Document[]>;
  /** Like `run`, but doesn't execute any stage in SQL. */
  runInMemory(stages: readonly Document[]): Promise<Document[]>;
}

/** Writes readings to a Parquet file. */
export async function pipelineFixture(readings: readonly TestReading[]): Promise<PipelineFixture> {
  const directory = await mkdtemp(join(tmpdir(), 'fleetwright-pipeline-'));
  const files = { ...(await writeReadings(directory, readings)), directory };
  const organizationId = 'acme';
  const fixture: ReadingsFiles = { ...files, organizationId, deletions: [], storedFrom: undefined };
  const job = (stages: readonly Document[]) => ({
    kind: 'pipeline' as const,
    stages: stages.map((stage) => serialize(stage)),
    readings: fixture,
  });
  const run = async (stages: readonly Document[]): Promise<Uint8Array[]> =>
    fromHome(async () => (await collectAll(runPipeline(job(stages), LIMITS))).flatMap(separate));
  return {
    readings: fixture,
    run: async (stages) => (await run(stages)).map((bytes) => deserialize(bytes)),
    runTyped: async (stages) =>
      (await run(stages)).map((bytes) => deserialize(bytes, { promoteValues: false })),
    runInMemory: async (stages) =>
      fromHome(async () => {
        const decoded = decodeStages(job(stages).stages);
        using session = await openReadings(fixture, LIMITS);
        const all = await collect(readSelection(session.connection, allReadings('JSON')));
        const collection = createCollection(() => toStream(all));
        const batches = throughStages(decoded, new Expressions(), collection)(toStream(all));
        const documents = await collect(batches);
        const integers = integerFields(decoded);
        const out = new BsonWriter();
        documents.forEach((document) => encodeDocument(out, document, integers));
        return separate(out.take()).map((bytes) => deserialize(bytes));
      }),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

function separate(bytes: Uint8Array): Uint8Array[] {
  return documentsIn(bytes);
}

async function collectAll<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const taken: Item[] = [];
  for await (const item of items) {
    taken.push(item);
  }
  return taken;
}

/** Query jobs change the working directory to the folder of their files; this restores it. */
async function fromHome<Result>(run: () => Promise<Result>): Promise<Result> {
  const home = process.cwd();
  try {
    return await run();
  } finally {
    process.chdir(home);
  }
}

async function writeReadings(
  directory: string,
  readings: readonly TestReading[],
): Promise<{ files: string[]; shape: DataShape }> {
  if (readings.length === 0) return { files: [], shape: 'NULL' };
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = readings.map((reading, index) => rowSql(reading, index));
  await connection.run(
    `CREATE TABLE rows AS SELECT * FROM (VALUES ${rows.join(', ')}) AS r(id, series_id, synced_at,
      organization_id, location_id, robot_id, part_id, component_type, component_name, method_name,
      time_requested, time_received, tags, additional_parameters, data)`,
  );
  await connection.run(
    `COPY rows TO '${join(directory, 'readings.parquet')}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`,
  );
  const reader = await connection.runAndReadAll('SELECT json_group_structure(data) FROM rows');
  connection.closeSync();
  instance.closeSync();
  const shape = JSON.parse(String(reader.getRows()[0]?.[0])) as DataShape;
  return { files: ['readings.parquet'], shape };
}

function rowSql(reading: TestReading, index: number): string {
  const { component_name = 'sensor', robot_id = 'robot', tags = [], data } = reading;
  const { time = new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString() } = reading;
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
  const timestamp = `CAST(${text(time.replace('Z', ''))} AS TIMESTAMP)`;
  return `(${[
    ...[index + 1, 1, timestamp, text('organization'), text('hall'), text(robot_id), text('main')],
    ...[text('rdk:component:sensor'), text(component_name), text('Readings'), timestamp, timestamp],
    `CAST([${tags.map(text).join(', ')}] AS VARCHAR[])`,
    `CAST('{}' AS JSON)`,
    `CAST(${text(JSON.stringify(data))} AS JSON)`,
  ].join(', ')})`;
}
