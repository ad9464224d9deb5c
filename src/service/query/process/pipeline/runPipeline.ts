import { BsonWriter } from '../bsonWriter';
import type { JobLimits } from '../../jobMessages';
import type { PipelineJob } from '../../queryJob';
import { openReadings } from '../readingsSession';
import { decodeStages } from './decodeStages';
import { encodeDocument } from './encodeDocument';
import { Expressions } from './expressions';
import { integerFields } from './integerFields';
import { planPipeline } from './pushdown/planPipeline';
import { readSelection } from './pushdown/readSelection';
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
  // Also those that SQL will run are read, so that each fault is found whatever the plan.
  throughStages(all, expressions);
  const integers = integerFields(all);
  const { selection, stages } = planPipeline(all, readings.shape, expressions);
  using session = await openReadings(readings, limits);
  const results = throughStages(stages, expressions)(readSelection(session.connection, selection));
  const out = new BsonWriter();
  for await (const batch of results) {
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
