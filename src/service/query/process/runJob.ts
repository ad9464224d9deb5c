import { toSqlLiteral } from '../../../core/model/sqlTokens';
import { existsSync } from 'node:fs';
import { Code } from '@connectrpc/connect';
import { join } from 'node:path';
import { deserialize, serialize } from 'bson';
import { rm } from 'node:fs/promises';
import type { JobLimits, JobMessage } from '../jobMessages';
import { isDamagedFile, JobError } from './jobError';
import { runSql } from './sql/runSql';
import { readReadings } from './readReadings';
import type {
  CheckJob,
  DamagedFile,
  MergeJob,
  PipelineJob,
  PipelinePlan,
  SealJob,
  WrittenFile,
} from '../queryJob';
import { ID_COLUMN, notDeleted, sqlTexts } from './readingsSql';
import {
  type EngineSession,
  EngineSource,
  fileName,
  openReadings,
  TrustedSession,
} from './engineSession';
import { BsonWriter } from './bsonWriter';
import {
  type Collection,
  decodeStages,
  nestedStages,
  throughStages,
} from './pipeline/decodeStages';
import { Expressions } from './pipeline/expressions';
import { integerFields } from './pipeline/integerFields';
import { toStream } from './pipeline/stages/stageCompiler';
import { planPipeline, type ReadingsFields } from './pipeline/pushdown/planPipeline';
import { readSelection } from './pipeline/pushdown/readSelection';
import { isCut } from './pipeline/pushdown/selection';
import type { Stage } from './pipeline/stage';
import { parseFacets } from './pipeline/stages/facetStage';
import { collect, type Document, isDocument } from './pipeline/document';
import { inspect } from 'node:util';

/**
 * Encodes a result document as BSON.
 * @param integers paths whose numbers are integers, as returned by `integerFields`. All other
 *   numbers are doubles, as in readings.
 */
export function encodeDocument(
  out: BsonWriter,
  document: Document,
  integers: ReadonlySet<string>,
): void {
  out.document(() => writeMembers(out, document, '', integers));
}

function writeMembers(
  out: BsonWriter,
  document: Document,
  prefix: string,
  integers: ReadonlySet<string>,
): void {
  for (const [name, value] of Object.entries(document)) {
    writeValue(out, name, value, prefix + name, integers);
  }
}

function writeValue(
  out: BsonWriter,
  name: string,
  value: unknown,
  path: string,
  integers: ReadonlySet<string>,
): void {
  if (value === null) {
    out.null(name);
  } else if (typeof value === 'string') {
    out.string(name, value);
  } else if (typeof value === 'boolean') {
    out.boolean(name, value);
  } else if (typeof value === 'number') {
    writeNumber(out, name, value, integers.has(path));
  } else if (value instanceof Date) {
    writeDate(out, name, value);
  } else if (Array.isArray(value)) {
    const items: unknown[] = value;
    out.array(name, () =>
      items.forEach((item, index) => {
        // The paths of documents in an array don't contain array indexes.
        const own = isDocument(item) ? integers : NONE;
        writeValue(out, String(index), item ?? null, path, own);
      }),
    );
  } else if (isDocument(value)) {
    out.object(name, () => writeMembers(out, value, `${path}.`, integers));
  } else if (value !== undefined) {
    // The value has a type that only a literal in the pipeline can have, such as a regular
    // expression.
    out.string(name, inspect(value));
  }
}

const NONE: ReadonlySet<string> = new Set();

const MAX_LONG = 2 ** 63;

function writeNumber(out: BsonWriter, name: string, value: number, isInteger: boolean): void {
  // Larger whole numbers are doubles in MongoDB, too.
  if (isInteger && Number.isInteger(value) && value >= -MAX_LONG && value < MAX_LONG) {
    out.integer(name, value);
  } else {
    out.double(name, value);
  }
}

/** Writes a date. Supports out-of-range dates, which date arithmetic can produce. */
function writeDate(out: BsonWriter, name: string, value: Date): void {
  if (Number.isNaN(value.getTime())) {
    out.null(name);
  } else {
    out.date(name, BigInt(value.getTime()));
  }
}

/** Creates a source of databases for the jobs of a process, and prepares the first one. */
export function prepareEngines(): EngineSource {
  const engines = new EngineSource();
  engines.prepare();
  return engines;
}

/**
 * Runs a job and yields its result. Releases the job's resources when the iteration ends.
 * @param engines source of the database that a query uses.
 * @throws JobError NotFound if a query's readings were deleted with their organization.
 */
export async function* runJob(
  message: JobMessage,
  engines: EngineSource,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* readJobDocuments(message, engines);
  } catch (error) {
    const { job } = message;
    if (
      'readings' in job &&
      typeof job.readings === 'object' &&
      !existsSync(job.readings.directory)
    ) {
      throw new JobError(Code.NotFound, 'the organization of the readings was deleted', {
        cause: error,
      });
    }
    throw error;
  }
}

function readJobDocuments(
  { job, limits }: JobMessage,
  engines: EngineSource,
): AsyncIterable<Uint8Array> {
  switch (job.kind) {
    case 'sql':
      return runSql(job, limits, engines);
    case 'pipeline':
      return runPipeline(job, limits, engines);
    case 'seal':
      return sealReadings(job);
    case 'merge':
      return mergeFiles(job);
    case 'check':
      return checkFiles(job);
    case 'read':
      return readReadings(job, limits, engines);
  }
}

/** Reads every value in each file and yields the files that can't be read. */
async function* checkFiles({ directory, files }: CheckJob): AsyncGenerator<Uint8Array, void> {
  await using session = await TrustedSession.open(directory);
  for (const name of files) {
    try {
      await session.rows(
        `select max(hash(columns(*))) from read_parquet(${toSqlLiteral(join(directory, name))})`,
      );
    } catch (error) {
      if (!isDamagedFile(error)) throw error;
      const damaged: DamagedFile = { name };
      yield serialize(damaged);
    }
  }
}

/** Merges one day's files into a single file, without the deleted readings. */
async function* mergeFiles(job: MergeJob): AsyncGenerator<Uint8Array, void> {
  await using session = await TrustedSession.open(job.directory);
  const sources = sqlTexts(job.sources.map((source) => join(job.sourceDirectory, source)));
  const name = fileName(job.prefix, job.day);
  const byteCount = await session.write(
    `select files.* from read_parquet([${sources}]) files where id > ${String(job.after)} and ${notDeleted(job.deletions)}
      ${job.ordered ? 'order by series_id, time_requested, id' : ''}`,
    name,
  );
  const path = join(job.directory, name);
  const [result] = await session.rows(`
    select count(*)::double as rows, epoch_us(max(synced_at))::double as synced
    from read_parquet(${toSqlLiteral(path)})`);
  const rowCount = Number(result?.rows);
  if (rowCount === 0) {
    await rm(path);
    return;
  }
  const written: WrittenFile = {
    name,
    day: job.day,
    rowCount,
    byteCount,
    lastSyncedAt: Number(result?.synced),
  };
  yield serialize(written);
}

/**
 * Runs an aggregation pipeline over readings. Yields its documents as BSON as they are produced,
 * multiple documents per chunk. DuckDB executes the stages that SQL can execute exactly. The other
 * stages run in memory on DuckDB's results.
 * @throws JobError InvalidArgument that names the stage if the pipeline is invalid;
 *   ResourceExhausted if it would use too much memory.
 */
export async function* runPipeline(
  { stages, readings, hasIds, documents, explain = false }: PipelineJob,
  limits: JobLimits,
  engines = new EngineSource(),
): AsyncGenerator<Uint8Array, void> {
  const all = decodeStages(stages);
  const expressions = new Expressions();
  using collection = new ReadingsCollection(
    () => openReadings(readings, limits, { hasIds, engines }),
    {
      shape: readings.shape,
      hasIds,
    },
  );
  // The stages that SQL will execute are also compiled, so that every error is found regardless of
  // the plan.
  const run = throughStages(all, expressions, collection);
  if (explain) {
    const left = collection.leftAfterSql(all, expressions);
    const plan: PipelinePlan = { sqlStages: all.length - left.length };
    yield serialize(plan);
    return;
  }
  const integers = integerFields(all, hasIds === true ? new Set([ID_COLUMN]) : undefined);
  const batches =
    documents === undefined
      ? collection.read(all, expressions)
      : run(toStream(documents.map((bytes) => deserialize(bytes))));
  const out = new BsonWriter();
  for await (const batch of batches) {
    for (const document of batch) {
      encodeDocument(out, document, integers);
      if (out.isFull) yield out.take();
    }
  }
  if (out.byteLength > 0) yield out.take();
}

/** Stages that output the same documents each time they are read. */
const REPEATABLE: ReadonlySet<string> = new Set([
  ...['$match', '$sort', '$project', '$addFields', '$set', '$unset'],
]);

/** Readings as the input to a pipeline and to the pipelines nested in its stages. */
class ReadingsCollection implements Collection, Disposable {
  private session: EngineSession | undefined;

  /** @param open opens the session when data is read for the first time. */
  constructor(
    private readonly open: () => Promise<EngineSession>,
    private readonly fields: ReadingsFields,
  ) {}

  [Symbol.dispose](): void {
    this.session?.[Symbol.dispose]();
  }

  leftAfterSql(stages: readonly Stage[], expressions: Expressions): readonly Stage[] {
    return planPipeline(stages, this.fields, expressions).stages;
  }

  /** @throws JobError ResourceExhausted if the read uses too much memory. */
  async *read(
    stages: readonly Stage[],
    expressions: Expressions,
  ): AsyncGenerator<readonly Document[], void> {
    const { selection, stages: left } = planPipeline(stages, this.fields, expressions);
    const [facet, ...rest] = left;
    const before = stages.slice(0, stages.length - left.length);
    const isRepeatable = !isCut(selection) && before.every(({ name }) => REPEATABLE.has(name));
    if (facet?.name === '$facet' && isRepeatable) {
      const facets = await this.readFacets(before, facet, expressions);
      yield* throughStages(rest, expressions, this)(toStream([facets]));
      return;
    }
    this.session ??= await this.open();
    // Streams that are read concurrently require separate connections.
    const connection = await this.session.connect();
    try {
      const documents = readSelection(connection, selection);
      yield* throughStages(left, expressions, this)(documents);
    } finally {
      connection.closeSync();
    }
  }

  /** Reads each facet separately, so that SQL can execute part of each facet. */
  private async readFacets(
    before: readonly Stage[],
    facet: Stage,
    expressions: Expressions,
  ): Promise<Document> {
    const results: Document = {};
    for (const [name, stages] of parseFacets(facet, nestedStages)) {
      results[name] = await collect(this.read([...before, ...stages], expressions));
    }
    return results;
  }
}

/**
 * Maximum line length, which no line exceeds. A reading has at most 4 MB, and its characters can be
 * escaped.
 */
const MAX_LINE_LENGTH = 32 * 1024 * 1024;

const READING_COLUMNS = `{
  id: 'BIGINT', series_id: 'BIGINT', day: 'BIGINT',
  synced_at: 'BIGINT', requested_at: 'BIGINT', received_at: 'BIGINT', size: 'INTEGER', data: 'JSON'
}`;

const SERIES_COLUMNS = `{
  series_id: 'BIGINT', organization_id: 'VARCHAR', location_id: 'VARCHAR', robot_id: 'VARCHAR',
  part_id: 'VARCHAR', component_type: 'VARCHAR', component_name: 'VARCHAR', method_name: 'VARCHAR',
  tags: 'VARCHAR[]', additional_parameters: 'JSON'
}`;

/**
 * Columns and row order in the files. Readings that are queried together are stored next to each
 * other.
 */
const selectSealedRows = ({ hasSizes }: SealJob): string => `
  select r.id, r.series_id, make_timestamp(r.synced_at) as synced_at,
    s.organization_id, s.location_id, s.robot_id, s.part_id,
    s.component_type, s.component_name, s.method_name,
    make_timestamp(r.requested_at) as time_requested,
    make_timestamp(r.received_at) as time_received,
    s.tags, s.additional_parameters, r.data ${hasSizes ? ', r.size' : ''}
  from incoming r join series s using (series_id)`;

/**
 * A reading's data in the form from which the shape is computed. DuckDB reports empty objects as
 * values of mixed types, and any type that is merged with them would also become mixed. Therefore,
 * a null member is added to empty objects. The pattern matches `{}` only as a member's value, not
 * inside a string.
 */
const SHAPED_DATA = String.raw`
  case when data::varchar = '{}' then '{"":null}'
    when contains(data::varchar, '":{}') then regexp_replace(
      data::varchar, '([^\\{,\[:]":)\{\}', '\1{"":null}', 'g')
    else data::varchar end::json`;

/** Seals readings: writes each day's readings to a separate file. */
async function* sealReadings(job: SealJob): AsyncGenerator<Uint8Array, void> {
  await using session = await TrustedSession.open(job.directory);
  await session.run(`create table incoming as ${lines(job.readings, READING_COLUMNS)}`);
  await session.run(`create table series as ${lines(job.series, SERIES_COLUMNS)}`);
  const days = await session.rows(`
    select day::double as day, count(*)::double as rows, max(synced_at)::double as synced,
      json_group_structure(${SHAPED_DATA})::varchar as shape
    from incoming group by day order by day`);
  for (const { day, rows, synced, shape } of days) {
    const name = fileName(job.prefix, Number(day));
    const byteCount = await session.write(
      `${selectSealedRows(job)} where r.day = ${String(day)} order by r.series_id, r.requested_at, r.id`,
      name,
    );
    const written: WrittenFile = {
      name,
      day: Number(day),
      rowCount: Number(rows),
      byteCount,
      lastSyncedAt: Number(synced),
      shape: String(shape),
    };
    yield serialize(written);
  }
}

function lines(path: string, columns: string): string {
  return `select * from read_json(${toSqlLiteral(path)}, format = 'newline_delimited',
    columns = ${columns}, maximum_object_size = ${String(MAX_LINE_LENGTH)})`;
}
