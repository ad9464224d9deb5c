import type { Buffer } from 'node:buffer';
import type { RecordLayout } from '../../data/export/recordLayout';
import { BsonJson } from './bsonJson';
import { documentAt } from '../results/bson/bsonValue';

/** Row in its received form: a BSON document in a buffer. */
export interface ResultRow {
  readonly bytes: Buffer;
  readonly start: number;
}

/** CSV layout of query rows. All columns come from the values of the rows. */
export const resultLayout: RecordLayout<ResultRow> = {
  fixed: [],
  fixedValues: () => [],
  root: '',
  data: ({ bytes, start }) => documentAt(bytes, start),
  overflowName: '(further)',
  json: (rows, between) => {
    const json = new BsonJson();
    rows.forEach(({ bytes, start }, index) => {
      if (index > 0) json.text(between);
      json.row(bytes, start);
    });
    return json.bytes;
  },
};
