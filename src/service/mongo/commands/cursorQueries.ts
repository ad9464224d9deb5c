import { deserialize, type Document, Long } from 'bson';
import { numberField, sessionField } from '../commandFields';
import type { Cursors } from '../cursors';
import { NAMESPACE } from '../databaseNames';
import { MongoError } from '../mongoError';
import { aggregateStages, findStages } from '../queryStages';
import { documentBytes } from '../rawBson';
import type { ReadingsPipelines } from '../readingsPipelines';
import type { BatchSize } from '../resultSpool';
import type { RunningQuery } from '../runningQuery';
import type { Commands, UserCall } from './command';
import { requireReadings } from './requireReadings';
import { withQuery } from './withQuery';

export interface QueryDependencies {
  queries: ReadingsPipelines;
  cursors: Cursors;
}

/** A batch has to be held as a whole: this is less than the 16 MiB that clients would take. */
export const BATCH_BYTES = 4 * 1024 * 1024;
const FIRST_BATCH_DOCUMENTS = 101;

/** The commands whose results are fetched batch by batch. */
export function cursorQueries({ queries, cursors }: QueryDependencies): Commands {
  return {
    find: (call) => {
      requireReadings(call.request);
      const { fields } = call.request;
      const stages = findStages(fields);
      return answer(call, stages, batchSize(fields), fields.singleBatch === true);
    },
    aggregate: (call) => {
      requireReadings(call.request);
      const { fields } = call.request;
      const stages = aggregateStages(fields);
      return answer(call, stages, batchSize(cursorOptions(fields)), false);
    },
  };

  async function answer(
    call: UserCall,
    stages: readonly Uint8Array[],
    size: BatchSize,
    isOnly: boolean,
  ): Promise<Uint8Array> {
    const { organizationId } = call.user;
    cursors.requireRoom(organizationId);
    return withQuery(queries, call, stages, async (query) => {
      const { documents, next } = await firstBatch(query, size);
      if (next === undefined || isOnly) {
        await query.end();
        return batchReply('firstBatch', documents, 0);
      }
      const owner = { organizationId, session: sessionField(call.request.fields) };
      return batchReply('firstBatch', documents, cursors.open(owner, query, next));
    });
  }
}

/** Answers a batch; the id 0 says that it is the last one. */
export function batchReply(
  name: 'firstBatch' | 'nextBatch',
  documents: readonly Uint8Array[],
  id: number,
): Uint8Array {
  const cursor = documentBytes({ [name]: documents }, { id: Long.fromNumber(id), ns: NAMESPACE });
  return documentBytes({ cursor }, { ok: 1 });
}

/** Takes the first documents of a query, and the one behind them, which tells whether there is more. */
async function firstBatch(
  query: RunningQuery,
  size: BatchSize,
): Promise<{ documents: Uint8Array[]; next: Uint8Array | undefined }> {
  const documents: Uint8Array[] = [];
  let bytes = 0;
  for (let next = await query.next(); next !== undefined; next = await query.next()) {
    bytes += next.byteLength;
    const isTooMuch = documents.length > 0 && bytes > size.bytes;
    if (documents.length >= size.documents || isTooMuch) {
      return { documents, next };
    }
    documents.push(next);
  }
  return { documents, next: undefined };
}

function cursorOptions({ cursor }: Document): Document {
  if (!(cursor instanceof Uint8Array)) {
    throw new MongoError('FailedToParse', "The 'cursor' option is required");
  }
  return deserialize(cursor);
}

function batchSize(options: Document): BatchSize {
  return {
    documents: numberField(options, 'batchSize', FIRST_BATCH_DOCUMENTS),
    bytes: BATCH_BYTES,
  };
}
