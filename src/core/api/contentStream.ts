/** Position in a partly read content, and the version of that content. */
export interface ContentMark {
  /** Offset of the first missing byte. */
  readonly start: number;
  /** The `version` of the stream that was read. */
  readonly version: string;
}

export interface ContentRequest {
  readonly signal?: AbortSignal | undefined;
  /** Position to resume from; absent to read everything. */
  readonly from?: ContentMark | undefined;
}

/** Content of a captured item as a stream. */
export interface ContentStream {
  /**
   * Offset of the first byte: 0 when the whole content was requested, and also when the service
   * can't resume because the content has changed or because it doesn't support ranges.
   */
  readonly start: number;
  /** Size of the whole content in bytes; undefined if the service doesn't report it. */
  readonly size: number | undefined;
  /** Identifies the content; undefined if it can't be resumed later. */
  readonly version: string | undefined;
  /** Chunks to be read once. Leaving the loop early ends the request. Throws `FleetError`. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Reads the content at an item's address. Throws `FleetError`. */
export type ReadContent = (uri: string, request: ContentRequest) => Promise<ContentStream>;
