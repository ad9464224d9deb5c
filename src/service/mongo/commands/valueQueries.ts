import { type Document, deserialize } from 'bson';
import { MongoError } from '../mongoError';
import { COUNT_FIELD, countStages, distinctStages, VALUE_FIELD } from '../queryStages';
import { MAX_DOCUMENT_BYTES } from '../rawBson';
import type { ReadingsPipelines } from '../readingsPipelines';
import type { RunningQuery } from '../runningQuery';
import type { Commands } from './command';
import { requireReadings } from './requireReadings';
import { withQuery } from './withQuery';

/** The commands that answer one value, or a list at once. */
export function valueQueries(queries: ReadingsPipelines): Commands {
  return {
    count: (call) => {
      requireReadings(call.request);
      return withQuery(queries, call, countStages(call.request.fields), readCount);
    },
    distinct: (call) => {
      requireReadings(call.request);
      return withQuery(queries, call, distinctStages(call.request.fields), readValues);
    },
  };
}

async function readCount(query: RunningQuery): Promise<Document> {
  const found = await query.next();
  await query.end();
  const n: unknown = found === undefined ? 0 : deserialize(found)[COUNT_FIELD];
  return { n };
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
