import { deserialize, type Document, Long } from 'bson';
import { numberField, sessionField } from '../commandFields';
import type { Cursors } from '../cursors';
import { NAMESPACE, type PipelineQuery, type ReadingsPipelines } from '../readingsDatabase';
import { MongoError } from '../mongoError';
import { aggregateStages, findStages } from '../queryStages';
import { documentBytes, getElementBytes } from '../rawBson';
import type { MemoryLease } from '../memoryLease';
import {
  type Commands,
  requireReadings,
  type RunningQuery,
  type UserCall,
  withQuery,
} from './runningQuery';
import { explainQuery } from './explain';
import { getStatisticsDocuments } from './statistics';

export interface QueryDependencies {
  queries: ReadingsPipelines;
  cursors: Cursors;
}

const FIRST_BATCH_DOCUMENTS = 101;
/** Size, in bytes, of a response without documents. */
const EMPTY_REPLY_BYTES = batchReply('firstBatch', [], 0).byteLength;

/** Returns the commands whose results clients fetch in batches. */
export function cursorQueries({ queries, cursors }: QueryDependencies): Commands {
  return {
    find: (call) => {
      requireReadings(call.request);
      const { fields } = call.request;
      const stages = findStages(fields);
      return answer(call, { stages }, batchDocuments(fields), fields.singleBatch === true);
    },
    aggregate: async (call) => {
      requireReadings(call.request);
      const { fields } = call.request;
      if (fields.explain === true) return explainQuery(queries, call, 'queryPlanner');
      const stages = aggregateStages(fields);
      const count = batchDocuments(cursorOptions(fields));
      const documents = await getStatisticsDocuments(queries, call, stages[0]);
      return documents === undefined
        ? answer(call, { stages }, count, false)
        : answer(call, { stages: stages.slice(1), documents }, count, false);
    },
  };

  async function answer(
    call: UserCall,
    pipeline: Pick<PipelineQuery, 'stages' | 'documents'>,
    count: number,
    isOnly: boolean,
  ): Promise<Uint8Array> {
    const { organizationId } = call.user;
    cursors.requireRoom(organizationId);
    return withQuery(queries, call, pipeline, async (query) => {
      const { documents, next } = await firstBatch(query, count, call.state.memory);
      if (next === undefined || isOnly) {
        await query.end();
        return batchReply('firstBatch', documents, 0);
      }
      const owner = { organizationId, session: sessionField(call.request.fields) };
      const id = cursors.open(owner, query, next);
      const reply = batchReply('firstBatch', documents, id);
      try {
        call.state.memory.requireRoom(reply.byteLength);
      } catch (error) {
        // The client never receives the ID of this cursor.
        await cursors.kill(organizationId, id);
        throw error;
      }
      return reply;
    });
  }
}

/** Returns a batch as a response. The cursor ID 0 marks the last batch. */
export function batchReply(
  name: 'firstBatch' | 'nextBatch',
  documents: readonly Uint8Array[],
  id: number,
): Uint8Array {
  const cursor = documentBytes({ [name]: documents }, { id: Long.fromNumber(id), ns: NAMESPACE });
  return documentBytes({ cursor }, { ok: 1 });
}

/** Leases memory for a response and returns the maximum size, in bytes, of its documents. */
export function leaseBatchBytes(memory: MemoryLease): number {
  return memory.leaseBatch() - EMPTY_REPLY_BYTES;
}

/**
 * Reads the first documents from a query and one additional document, which determines whether
 * there are more batches.
 */
async function firstBatch(
  query: RunningQuery,
  count: number,
  memory: MemoryLease,
): Promise<{ documents: Uint8Array[]; next: Uint8Array | undefined }> {
  const documents: Uint8Array[] = [];
  let next = await query.next();
  // The query doesn't lease memory while it waits for a slot.
  const maxBytes = leaseBatchBytes(memory);
  for (let bytes = 0; next !== undefined; next = await query.next()) {
    bytes += getElementBytes(next, documents.length);
    const isFull = documents.length > 0 && bytes > maxBytes;
    if (documents.length >= count || isFull) return { documents, next };
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

function batchDocuments(options: Document): number {
  return numberField(options, 'batchSize', FIRST_BATCH_DOCUMENTS);
}
