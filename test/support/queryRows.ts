import { deserialize, type Document } from 'bson';

/** Reads all documents of a query's result. */
export async function queryRows(documents: AsyncIterable<Uint8Array>): Promise<Document[]> {
  const rows: Document[] = [];
  for await (const document of documents) {
    rows.push(deserialize(document));
  }
  return rows;
}
