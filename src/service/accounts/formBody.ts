import type { Readable } from 'node:stream';
import type { HttpRequest } from '../server/http';

/** Forms here have one short field. */
const MAX_BYTES = 8 * 1024;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** The fields of a form, or the HTTP status that says why they cannot be read. */
export async function readForm(request: HttpRequest): Promise<URLSearchParams | 413 | 415> {
  if (!FORM_TYPE.test(request.headers['content-type'] ?? '')) {
    return 415;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  // Left whole when its reading ends early: the answer goes out over the same connection.
  const body: Readable = request;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) {
      return 413;
    }
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
