import { BsonWriter } from '../bsonWriter';
import type { JobLimits } from '../../jobMessages';
import type { PipelineJob } from '../../queryJob';
import { openReadings } from '../readingsSession';
import { decodeStages } from './decodeStages';
import { encodeDocument } from './encodeDocument';
import { Expressions } from './expressions';
import { integerFields } from './integerFields';
import { ReadingsCollection } from './readingsCollection';
import { throughStages } from './throughStages';

/**
 * Runs an aggregation pipeline over readings and answers its documents in BSON as they come, several
 * at once. What SQL can do exactly is done by DuckDB, the rest stage by stage on what is left.
 * @throws JobError InvalidArgument, naming the stage, when the pipeline is at fault, and
 *   ResourceExhausted when it would hold too much.
 */
export async function* runPipeline(
  { stages: documents, readings }: PipelineJob,
  limits: JobLimits,
): AsyncGenerator<Uint8Array, void> {
  const all = decodeStages(documents);
  const expressions = new Expressions();
  using collection = new ReadingsCollection(() => openReadings(readings, limits), readings.shape);
  // Also those that SQL will run are read, so that each fault is found whatever the plan.
  throughStages(all, expressions, collection);
  const integers = integerFields(all);
  const out = new BsonWriter();
  for await (const batch of collection.read(all, expressions)) {
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
