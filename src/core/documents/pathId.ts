/**
 * IDs that can be used unchanged in a path. Any other ID is written as `~` followed by its UTF-8
 * bytes in hexadecimal.
 */
const PLAIN_ID = /^[A-Za-z0-9_-]+$/;
const ENCODED_ID = /^~(?:[0-9a-f]{2})+$/;

/** Returns an ID as one segment of a document's path. */
export function encodePathId(id: string): string {
  if (PLAIN_ID.test(id)) return id;
  const bytes = new TextEncoder().encode(id);
  return `~${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Parses the output of `encodePathId`; returns undefined for anything else. */
export function decodePathId(segment: string): string | undefined {
  if (PLAIN_ID.test(segment)) return segment;
  if (!ENCODED_ID.test(segment)) return undefined;
  const bytes = segment.match(/[0-9a-f]{2}/g) ?? [];
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)),
    );
  } catch {
    return undefined;
  }
}
