import { deserialize, serialize } from 'bson';
import { BsonWriter } from '../bsonWriter';
import type { JobLimits } from '../../jobMessages';
import type { PipelineJob, PipelinePlan } from '../../queryJob';
import { openReadings } from '../readingsSession';
import { ID_COLUMN } from '../readingsView';
import { decodeStages } from './decodeStages';
import { encodeDocument } from './encodeDocument';
import { Expressions } from './expressions';
import { integerFields } from './integerFields';
import { ReadingsCollection } from './readingsCollection';
import { toStream } from './stages/subpipelineSource';
import { throughStages } from './throughStages';

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
): AsyncGenerator<Uint8Array, void> {
  const all = decodeStages(stages);
  const expressions = new Expressions();
  using collection = new ReadingsCollection(() => openReadings(readings, limits, { hasIds }), {
    shape: readings.shape,
    hasIds,
  });
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
      if (out.isFull) {
        yield out.take();
      }
    }
  }
  if (out.byteLength > 0) {
    yield out.take();
  }
}
