/** What flows from stage to stage. A stage never changes what it was given: others may hold it too. */
export type Document = Record<string, unknown>;

/** Documents on their way, some at a time: the next ones are made when those before are taken. */
export type Batches = AsyncIterable<readonly Document[]>;

/** How many documents go in a batch. */
const BATCH_SIZE = 1000;

/** Whether a value is an embedded document: not an array, a date or another value of BSON. */
export function isDocument(value: unknown): value is Document {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Missing and null are one in most comparisons of MongoDB. */
export function isNothing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Gathers everything: for stages that need the last document before they answer the first. */
export async function collect(input: Batches): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const batch of input) {
    for (const document of batch) {
      documents.push(document);
    }
  }
  return documents;
}

/** Cuts documents into batches. */
export function* inBatches(documents: Iterable<Document>): Generator<readonly Document[], void> {
  let batch: Document[] = [];
  for (const document of documents) {
    batch.push(document);
    if (batch.length === BATCH_SIZE) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) {
    yield batch;
  }
}
