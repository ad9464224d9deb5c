import {
  type ConnectionId,
  connectionId,
  type FragmentId,
  fragmentId,
  type LocationId,
  locationId,
  type MachineId,
  machineId,
  type OrganizationId,
  organizationId,
  type PartId,
  partId,
} from '../model/ids';
import { decodePathId, encodePathId } from './pathId';

/** A document's content: the config or the metadata of one resource. */
export type DocumentSubject =
  | { readonly type: 'partConfig'; readonly id: PartId }
  | { readonly type: 'fragmentConfig'; readonly id: FragmentId }
  | { readonly type: 'organizationMetadata'; readonly id: OrganizationId }
  | { readonly type: 'locationMetadata'; readonly id: LocationId }
  | { readonly type: 'machineMetadata'; readonly id: MachineId }
  | { readonly type: 'partMetadata'; readonly id: PartId };

export type SubjectType = DocumentSubject['type'];

/** Address of a document in a connection. Contains only IDs, so that renames don't affect it. */
export interface DocumentAddress {
  readonly connectionId: ConnectionId;
  readonly subject: DocumentSubject;
}

/** Parts of a document's URI, decoded. */
export interface UriParts {
  readonly authority: string;
  readonly path: string;
}

const PATH_SEGMENTS: Record<SubjectType, { readonly collection: string; readonly facet: string }> =
  {
    partConfig: { collection: 'parts', facet: 'config' },
    fragmentConfig: { collection: 'fragments', facet: 'config' },
    organizationMetadata: { collection: 'organizations', facet: 'metadata' },
    locationMetadata: { collection: 'locations', facet: 'metadata' },
    machineMetadata: { collection: 'machines', facet: 'metadata' },
    partMetadata: { collection: 'parts', facet: 'metadata' },
  };

const SUFFIXES: Record<string, string> = { config: '.json', metadata: '.metadata.json' };

/**
 * Formats `/<collection>/<id>/<config|metadata>/<names…>/<name>.json`, which VS Code shows as
 * breadcrumbs. `names` contains the names of the parents (organization, machine), followed by the
 * resource's own name. The names are for display only and are ignored when the path is parsed.
 */
export function formatAddress(address: DocumentAddress, names: readonly string[]): UriParts {
  const { collection, facet } = PATH_SEGMENTS[address.subject.type];
  const folders = names.slice(0, -1).map(safeFolder);
  const file = safeSegment(names.at(-1) ?? '') + (SUFFIXES[facet] ?? '');
  const segments = [collection, encodePathId(address.subject.id), facet, ...folders, file];
  return { authority: address.connectionId, path: `/${segments.join('/')}` };
}

/** Parses the output of `formatAddress`; returns undefined for anything else. */
export function parseAddress({ authority, path }: UriParts): DocumentAddress | undefined {
  const [empty, collection, encodedId, facet, ...names] = path.split('/');
  const file = names.at(-1);
  if (authority === '' || empty !== '' || !encodedId || !file?.endsWith('.json')) return undefined;
  const id = decodePathId(encodedId);
  const type = subjectTypes().find(
    (candidate) =>
      PATH_SEGMENTS[candidate].collection === collection &&
      PATH_SEGMENTS[candidate].facet === facet,
  );
  if (id === undefined || type === undefined) return undefined;
  return { connectionId: connectionId(authority), subject: toSubject(type, id) };
}

/** Returns true if the path is a parent folder of documents. */
export function isFolderPath({ authority, path }: UriParts): boolean {
  const [empty, collection = '', id, facet] = path.split('/');
  if (authority === '' || empty !== '' || parseAddress({ authority, path })) return false;
  const candidates = Object.values(PATH_SEGMENTS).filter(
    (candidate) => candidate.collection === collection,
  );
  if (collection !== '' && candidates.length === 0) return false;
  if (id !== undefined && id !== '' && decodePathId(id) === undefined) return false;
  return (
    facet === undefined || facet === '' || candidates.some((candidate) => candidate.facet === facet)
  );
}

/**
 * Returns a key that is the same for all addresses for one document, regardless of the names in
 * their URIs.
 */
export function addressKey({ connectionId, subject }: DocumentAddress): string {
  return `${connectionId}/${subject.type}/${subject.id}`;
}

function subjectTypes(): SubjectType[] {
  return Object.keys(PATH_SEGMENTS) as SubjectType[];
}

function toSubject(type: SubjectType, id: string): DocumentSubject {
  switch (type) {
    case 'partConfig':
    case 'partMetadata':
      return { type, id: partId(id) };
    case 'fragmentConfig':
      return { type, id: fragmentId(id) };
    case 'organizationMetadata':
      return { type, id: organizationId(id) };
    case 'locationMetadata':
      return { type, id: locationId(id) };
    case 'machineMetadata':
      return { type, id: machineId(id) };
  }
}

/**
 * Maximum length of a name: long enough to distinguish names, short enough for tabs, menus, and
 * notifications.
 */
const MAX_CODE_POINTS = 60;
const UNNAMED = 'unnamed';

/**
 * Makes a name safe for use as one segment of a document's path. Other users choose the names.
 * Slashes and dots would change the path, bidirectional marks would reverse the text of a tab, and
 * brackets would become links in VS Code notifications. Keeps letters, digits, spaces, `-`, `_`,
 * and inner dots; replaces each run of other characters with one `_`. The segment is for display
 * only, because the ID in the path identifies the resource.
 */
export function safeSegment(name: string): string {
  const cleaned = name
    .slice(0, MAX_CODE_POINTS * 4)
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} ._-]+/gu, '_')
    .replace(/\.{2,}/g, '_');
  const short = Array.from(cleaned).slice(0, MAX_CODE_POINTS).join('');
  return short.replace(/^[. ]+|[. ]+$/g, '') || UNNAMED;
}

/**
 * Like `safeSegment`, but for folders, because a folder that ends in `.json` would look like a
 * document.
 */
export function safeFolder(name: string): string {
  return safeSegment(name).replace(/\.json$/i, '_json');
}
