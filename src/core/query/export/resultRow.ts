import type { Buffer } from 'node:buffer';
import type { RecordLayout } from '../../data/export/recordLayout';
import { BsonJson } from './bsonJson';
import { documentAt } from '../results/bson/bsonValue';

/** A row as it came: a document of BSON within bytes. */
export interface ResultRow {
  readonly bytes: Buffer;
  readonly start: number;
}

/** How rows of a query are written as CSV: all their columns are within them. */
export const resultLayout: RecordLayout<ResultRow> = {
  fixed: [],
  fixedValues: () => [],
  root: '',
  data: ({ bytes, start }) => documentAt(bytes, start),
  further: '(further)',
  json: (rows, between) => {
    const json = new BsonJson();
    rows.forEach(({ bytes, start }, index) => {
      if (index > 0) json.text(between);
      json.row(bytes, start);
    });
    return json.bytes;
  },
};
