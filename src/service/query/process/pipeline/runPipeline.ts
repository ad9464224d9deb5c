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
import { streamOf } from './stages/subpipelineSource';
import { throughStages } from './throughStages';

/**
 * Runs an aggregation pipeline over readings and answers its documents in BSON as they come, several
 * at once. What SQL can do exactly is done by DuckDB, the rest stage by stage on what is left.
 * @throws JobError InvalidArgument, naming the stage, when the pipeline is at fault, and
 *   ResourceExhausted when it would hold too much.
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
  // Also those that SQL will run are read, so that each fault is found whatever the plan.
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
      : run(streamOf(documents.map((bytes) => deserialize(bytes))));
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
