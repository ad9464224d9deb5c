import type { ByteRange } from '../blobs/blobStore';

const RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * Parses a `Range` header, which requests part of the content (RFC 9110, section 14).
 * @returns undefined for the whole content, which is used without a header and for forms that a
 *   server can ignore, such as multiple ranges; 'unsatisfiable' for a range outside the content.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | undefined | 'unsatisfiable' {
  const [, first, last] = RANGE.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || first + last === '') {
    return undefined;
  }
  if (first !== '' && last !== '' && Number(first) > Number(last)) {
    return undefined;
  }
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(size - 1, Number(last));
  return start > end ? 'unsatisfiable' : { start, end };
}
