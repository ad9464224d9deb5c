import { safeSegment } from '../../documents/safeSegment';
import { type BinaryDataId, binaryDataId, type ConnectionId, connectionId } from '../../model/ids';

/** The content of one item of one connection. */
export interface ContentDocument {
  readonly connectionId: ConnectionId;
  readonly id: BinaryDataId;
}

/** The parts of a URI that a document is written to and read from, decoded. */
interface UriParts {
  readonly authority: string;
  readonly path: string;
}

/** An id that can stand in a path as it is; any other is written as `~` and the hex of its UTF-8. */
const PLAIN_ID = /^[A-Za-z0-9_-]+$/;
const ENCODED_ID = /^~(?:[0-9a-f]{2})+$/;

/**
 * Writes `/<id>/<name><extension>`. The name is for reading alone; by the extension VS Code
 * chooses what shows it.
 */
export function formatContentDocument(
  document: ContentDocument,
  name: string,
  extension: string,
): UriParts {
  const ending = /^\.[A-Za-z0-9]{1,12}$/.test(extension) ? extension : '';
  const base = name.endsWith(extension) ? name.slice(0, name.length - extension.length) : name;
  return {
    authority: document.connectionId,
    path: `/${encodeId(document.id)}/${safeSegment(base)}${ending}`,
  };
}

/** Reads what `formatContentDocument` wrote; undefined for anything else. */
export function parseContentDocument({ authority, path }: UriParts): ContentDocument | undefined {
  const [empty, encoded = '', name, ...rest] = path.split('/');
  if (authority === '' || empty !== '' || !name || rest.length > 0) return undefined;
  const id = decodeId(encoded);
  return id === undefined
    ? undefined
    : { connectionId: connectionId(authority), id: binaryDataId(id) };
}

function encodeId(id: string): string {
  if (PLAIN_ID.test(id)) return id;
  const bytes = [...new TextEncoder().encode(id)];
  return `~${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function decodeId(encoded: string): string | undefined {
  if (PLAIN_ID.test(encoded)) return encoded;
  if (!ENCODED_ID.test(encoded)) return undefined;
  const bytes = encoded.match(/[0-9a-f]{2}/g)?.map((pair) => parseInt(pair, 16)) ?? [];
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(bytes));
  } catch {
    return undefined;
  }
}
