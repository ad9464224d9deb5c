import { safeSegment } from '../../documents/documentAddress';
import { decodePathId, encodePathId } from '../../documents/pathId';
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
    path: `/${encodePathId(document.id)}/${safeSegment(base)}${ending}`,
  };
}

/** Parses the output of `formatContentDocument`; returns undefined for anything else. */
export function parseContentDocument({ authority, path }: UriParts): ContentDocument | undefined {
  const [empty, encoded = '', name, ...rest] = path.split('/');
  if (authority === '' || empty !== '' || !name || rest.length > 0) return undefined;
  const id = decodePathId(encoded);
  return id === undefined
    ? undefined
    : { connectionId: connectionId(authority), id: binaryDataId(id) };
}
