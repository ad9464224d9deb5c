import { deserialize, type Document } from 'bson';

/** Reads all the documents that a query answers. */
export async function queryRows(documents: AsyncIterable<Uint8Array>): Promise<Document[]> {
  const rows: Document[] = [];
  for await (const document of documents) {
    rows.push(deserialize(document));
  }
  return rows;
}
