import { safeSegment } from '../../documents/documentAddress';
import { type BinaryDataId, binaryDataId, type ConnectionId, connectionId } from '../../model/ids';

/** Identifies an item's content in a connection. */
export interface ContentDocument {
  readonly connectionId: ConnectionId;
  readonly id: BinaryDataId;
}

/** Parts of a document's URI, decoded. */
interface UriParts {
  readonly authority: string;
  readonly path: string;
}

/**
 * IDs that can be used unchanged in a path. Any other ID is written as `~` followed by its UTF-8
 * bytes in hexadecimal.
 */
const PLAIN_ID = /^[A-Za-z0-9_-]+$/;
const ENCODED_ID = /^~(?:[0-9a-f]{2})+$/;

/**
 * Formats `/<id>/<name><extension>`. The name is for display only, but VS Code selects the editor
 * based on the extension.
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

/** Parses the output of `formatContentDocument`; returns undefined for anything else. */
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
