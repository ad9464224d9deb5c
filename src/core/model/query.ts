import type { OrganizationId } from './ids';

/** Query languages for readings (spec part 1, TabularDataBySQL and TabularDataByMQL). */
export type QueryLanguage = 'sql' | 'mql';

/** Ready-to-run query for an organization's readings, with its parameters filled in. */
export interface FleetQuery {
  readonly organizationId: OrganizationId;
  readonly language: QueryLanguage;
  /** SELECT statement for the table `readings`, or a pipeline as a JSON list of stages. */
  readonly text: string;
  /** True to query only recent data, which the API supports only for MQL. */
  readonly recent: boolean;
}

/** Range in a query's text, in UTF-16 code units, as in editors. The end is exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Minimum document size in bytes. A document consists of at least its length and a terminating
 * zero.
 */
const MIN_BYTES = 5;

/**
 * Splits consecutive BSON documents. The results share the memory of `bytes`.
 * @throws if `bytes` doesn't contain valid documents.
 */
export function documentsIn(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const documents: Uint8Array[] = [];
  for (let start = 0; start < bytes.byteLength;) {
    const left = bytes.byteLength - start;
    const length = left >= MIN_BYTES ? view.getInt32(start, true) : 0;
    if (length < MIN_BYTES || length > left) {
      throw new Error('BSON documents were expected, but the data is something else');
    }
    documents.push(bytes.subarray(start, start + length));
    start += length;
  }
  return documents;
}

/**
 * BSON binary subtypes in the stream of rows, for times that BSON dates can't represent
 * (`exact_values` in the API contract). Subtypes from 128 on are reserved for applications.
 */
export const EXACT_TIME = {
  /** Microseconds since the Unix epoch: a little-endian int64. */
  micros: 0x80,
  /** Nanoseconds since the Unix epoch: a little-endian int64. */
  nanos: 0x81,
  /** Days since the Unix epoch: a little-endian int32. */
  days: 0x82,
} as const;
