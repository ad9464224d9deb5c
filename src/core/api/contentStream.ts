/** How far a content was read before, and which version of it that was. */
export interface ContentMark {
  /** The first byte that is missing. */
  readonly start: number;
  /** The `version` of the stream that was read. */
  readonly version: string;
}

export interface ContentRequest {
  readonly signal?: AbortSignal | undefined;
  /** Goes on from here; absent to read all. */
  readonly from?: ContentMark | undefined;
}

/** The content of a captured item, as it comes in. */
export interface ContentStream {
  /**
   * Which byte comes first: 0 when all was asked for, and also when the service cannot go on where it was
   * asked to, because the content is another one by now or it does not know how.
   */
  readonly start: number;
  /** Bytes of the whole content; undefined when the service does not say. */
  readonly size: number | undefined;
  /** Tells one content from another; undefined when it cannot be gone on with later. */
  readonly version: string | undefined;
  /** Read once and to its end, or left early, which ends the request. Throws `FleetError`. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Reads what is at an address that an item gives. Throws `FleetError`. */
export type ReadContent = (uri: string, request: ContentRequest) => Promise<ContentStream>;
