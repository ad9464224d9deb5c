import { type Document, deserialize } from 'bson';
import { MongoError } from '../mongoError';
import { countStages, distinctStages, VALUE_FIELD } from '../queryStages';
import { MAX_DOCUMENT_BYTES } from '../rawBson';
import type { ReadingsPipelines } from '../readingsPipelines';
import type { RunningQuery } from '../runningQuery';
import type { Commands } from './command';
import { requireReadings } from './requireReadings';
import { readCount, withQuery } from './withQuery';

/** Returns the commands whose response is a single value or a complete list. */
export function valueQueries(queries: ReadingsPipelines): Commands {
  return {
    count: async (call) => {
      requireReadings(call.request);
      const stages = countStages(call.request.fields);
      return { n: await withQuery(queries, call, { stages }, readCount) };
    },
    distinct: (call) => {
      requireReadings(call.request);
      const stages = distinctStages(call.request.fields);
      return withQuery(queries, call, { stages }, readValues);
    },
  };
}

async function readValues(query: RunningQuery): Promise<Document> {
  const values: unknown[] = [];
  let bytes = 0;
  for (let next = await query.next(); next !== undefined; next = await query.next()) {
    bytes += next.byteLength;
    if (bytes > MAX_DOCUMENT_BYTES) {
      throw new MongoError('BSONObjectTooLarge', 'distinct too big, 16mb cap: use aggregate');
    }
    values.push(deserialize(next, { promoteValues: false })[VALUE_FIELD]);
  }
  return { values };
}
