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

const HEX_ID = /^(?:[0-9a-f]{2})+$/;

/**
 * Writes `/<hex of the id>/<name><extension>`. The name is for reading alone; by the extension VS Code
 * chooses what shows it.
 */
export function formatContentDocument(
  document: ContentDocument,
  name: string,
  extension: string,
): UriParts {
  const hex = [...new TextEncoder().encode(document.id)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  const ending = /^\.[A-Za-z0-9]{1,12}$/.test(extension) ? extension : '';
  const base = name.endsWith(extension) ? name.slice(0, name.length - extension.length) : name;
  return { authority: document.connectionId, path: `/${hex}/${safeSegment(base)}${ending}` };
}

/** Reads what `formatContentDocument` wrote; undefined for anything else. */
export function parseContentDocument({ authority, path }: UriParts): ContentDocument | undefined {
  const [empty, hex = '', name, ...rest] = path.split('/');
  if (authority === '' || empty !== '' || !name || rest.length > 0 || !HEX_ID.test(hex)) {
    return undefined;
  }
  const bytes = hex.match(/../g)?.map((pair) => parseInt(pair, 16)) ?? [];
  try {
    const id = new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(bytes));
    return { connectionId: connectionId(authority), id: binaryDataId(id) };
  } catch {
    return undefined;
  }
}
