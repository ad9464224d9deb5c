import { type Decompress, findDecompress } from './decompression';
import type { HttpRequest } from './http';

const ENVELOPED = /^application\/(grpc|grpc-web|connect)(?:\+([a-z]+))?\s*(?:;|$)/i;
const UNARY = /^application\/(json|proto)\s*(?:;|$)/i;
const ENCODING_HEADERS: Readonly<Record<string, string>> = {
  grpc: 'grpc-encoding',
  'grpc-web': 'grpc-encoding',
  connect: 'connect-content-encoding',
};

/** Format of a request body. */
export interface BodyFormat {
  readonly isEnveloped: boolean;
  readonly isJson: boolean;
  readonly decompress: Decompress | undefined;
  /** Length of the body, if it consists of one message. */
  readonly length: number | undefined;
}

/**
 * Returns the format of a request's body. Removes the headers that no longer match the messages after
 * they have been read.
 * @returns undefined for a request whose body isn't read at all, for example because its type is
 *   unknown
 */
export function readBodyFormat(request: HttpRequest): BodyFormat | undefined {
  const { headers } = request;
  const contentType = (headers['content-type'] ?? '').toLowerCase();
  const [, protocol = '', codec = 'proto'] = ENVELOPED.exec(contentType) ?? [];
  const encodingHeader = ENCODING_HEADERS[protocol];
  if (encodingHeader !== undefined) {
    const decompress = findDecompress(headers[encodingHeader]);
    return { isEnveloped: true, isJson: codec === 'json', decompress, length: undefined };
  }
  const [, unaryCodec] = UNARY.exec(contentType) ?? [];
  if (unaryCodec === undefined || request.method !== 'POST') return undefined;
  const declared = headers['content-length'];
  const decompress = findDecompress(headers['content-encoding']);
  delete headers['content-length'];
  if (decompress !== undefined) delete headers['content-encoding'];
  return {
    isEnveloped: false,
    isJson: unaryCodec === 'json',
    decompress,
    length: declared === undefined ? undefined : Number(declared),
  };
}
