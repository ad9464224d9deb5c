import { englishLocalizer } from '../../base/localizer';
import { FleetError } from './errors';

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

/** A captured item's content as a stream. */
export interface ContentStream {
  /**
   * Offset of the first byte: 0 when all of the content was requested, when the content has
   * changed, or when the service doesn't support ranges.
   */
  readonly start: number;
  /** Size of the entire content in bytes; undefined if the service doesn't report it. */
  readonly size: number | undefined;
  /** Version of the content; undefined if the read can't be resumed later. */
  readonly version: string | undefined;
  /**
   * Chunks of the content, which can be read only once. Exiting the loop early cancels the request.
   * Throws `FleetError`.
   */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Reads the content at an item's address. Throws `FleetError`. */
export type ReadContent = (uri: string, request: ContentRequest) => Promise<ContentStream>;

/** Maximum size of content that is read into memory as a whole. */
const MAX_WHOLE_BYTES = 256 * 1024 * 1024;

/** Throws if an item's content is too large to display. */
export function requireShowable(sizeBytes: number, l10n = englishLocalizer): void {
  if (sizeBytes <= MAX_WHOLE_BYTES) return;
  const size = Math.round(sizeBytes / 1024 / 1024).toLocaleString('en-US');
  throw new FleetError(
    'unsupported',
    l10n.t(
      "The content is {0} MiB. Content larger than 256 MiB can't be shown here. Download it instead.",
      size,
    ),
  );
}

/** Minimum number of bytes between two progress reports. */
const REPORTED_BYTES = 512 * 1024;

/**
 * Reads an item's complete content. Throws `FleetError`; `unsupported` if the content is too large
 * to display. @param report called periodically with the number of bytes received so far
 */
export async function wholeContent(
  { chunks, size }: ContentStream,
  report: (bytes: number) => void = () => undefined,
  l10n = englishLocalizer,
): Promise<Uint8Array<ArrayBuffer>> {
  requireShowable(size ?? 0, l10n);
  const parts: Uint8Array[] = [];
  let [length, reported] = [0, 0];
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    requireShowable(length, l10n);
    if (length - reported < REPORTED_BYTES) continue;
    reported = length;
    report(length);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
