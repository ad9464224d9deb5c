/** Position in partially read content, and the version of that content. */
export interface ContentMark {
  /** Offset of the first unread byte. */
  readonly start: number;
  /** The `version` of the stream that was partially read. */
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
   * Offset of the first byte: 0 when all of the content was requested, when the content has
   * changed, or when the service doesn't support ranges.
   */
  readonly start: number;
  /** Size of all of the content in bytes; undefined if the service doesn't report it. */
  readonly size: number | undefined;
  /** Version of the content; undefined if the read can't be resumed later. */
  readonly version: string | undefined;
  /**
   * Chunks of the content, which can be read only once. Leaving the loop early ends the request.
   * Throws `FleetError`.
   */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Reads the content at an item's address. Throws `FleetError`. */
export type ReadContent = (uri: string, request: ContentRequest) => Promise<ContentStream>;
