import { Buffer } from 'node:buffer';
import type { Document } from 'bson';
import { serialize } from 'bson';
import { organizationId } from '../../../../../src/core/model/ids';
import type { FleetQuery } from '../../../../../src/core/model/query';
import type { QuerySource } from '../../../../../src/core/query/querySource';
import type { Spool, SpoolFactory } from '../../../../../src/core/query/results/rowStore';

export const query: FleetQuery = {
  organizationId: organizationId('o'),
  language: 'sql',
  text: 'select * from readings',
  recent: false,
};

/** Returns documents as they arrive from the wire: concatenated in one buffer. */
export function createBatch(documents: readonly Document[]): readonly Uint8Array[] {
  const rows = documents.map((one) => serialize(one));
  const bytes = Buffer.concat(rows);
  let start = 0;
  return rows.map(({ length }) => {
    start += length;
    return bytes.subarray(start - length, start);
  });
}

/** Returns a source that responds to every query with the same batches. */
export function createQuerySource(...batches: readonly (readonly Document[])[]): QuerySource {
  return {
    async *run() {
      for (const batch of batches) yield await Promise.resolve(createBatch(batch));
    },
  };
}

/** Spools whose temporary files are in memory. */
export class MemorySpools implements SpoolFactory {
  open = 0;

  create(): Promise<Spool> {
    this.open += 1;
    let bytes = Buffer.alloc(0);
    return Promise.resolve({
      append: (added) => {
        bytes = Buffer.concat([bytes, added]);
        return Promise.resolve();
      },
      read: (from, length) => Promise.resolve(Buffer.from(bytes.subarray(from, from + length))),
      dispose: () => {
        this.open -= 1;
      },
    });
  }
}
