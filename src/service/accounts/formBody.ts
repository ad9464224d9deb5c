import type { Readable } from 'node:stream';
import type { HttpRequest } from '../server/http';

/** Maximum form size in bytes; each form has only one short field. */
const MAX_BYTES = 8 * 1024;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** Returns the fields of a form, or the HTTP status if they can't be read. */
export async function readForm(request: HttpRequest): Promise<URLSearchParams | 413 | 415> {
  if (!FORM_TYPE.test(request.headers['content-type'] ?? '')) {
    return 415;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  // The request must not be destroyed if reading stops early, because the response uses the same
  // connection.
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
