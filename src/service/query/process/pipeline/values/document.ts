/**
 * Document that is passed between stages. Stages never modify their input, because other code might
 * have references to it.
 */
export type Document = Record<string, unknown>;

/**
 * Stream of document batches with back pressure. More batches are produced only after the previous
 * ones have been consumed.
 */
export type Batches = AsyncIterable<readonly Document[]>;

/** Number of documents per batch. */
const BATCH_SIZE = 1000;

/** Returns true if a value is an embedded document: not an array, a date, or another BSON value. */
export function isDocument(value: unknown): value is Document {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Returns true for null and missing values, which are equal in most of MongoDB's comparisons. */
export function isNullish(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/**
 * Collects all documents, for stages that need the last input document before they return the first
 * result.
 */
export async function collect(input: Batches): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const batch of input) {
    for (const document of batch) {
      documents.push(document);
    }
  }
  return documents;
}

/** Splits documents into batches. */
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
