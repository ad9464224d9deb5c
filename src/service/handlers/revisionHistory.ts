import { create } from '@bufbuild/protobuf';
import { invalid } from '../errors';
import type { RevisionPage } from '../store/parts';
import {
  AuthenticationType,
  type AuthenticatorInfo,
  AuthenticatorInfoSchema,
} from '../../gen/viam/app/v1/authorization_pb';
import { existingKeyIds } from '../store/credentials';
import type { StoreAccess } from '../store/store';

/** Maximum page size of a history, even if a request specifies a larger one. */
export const MAX_REVISION_PAGE = 1000;

const TOKEN = /^r([1-9]\d{0,14})$/;

/**
 * Parses a history request's paging fields. Clients send an empty token for the first page and a
 * limit of 0 for the default.
 * @throws InvalidArgument if this service didn't issue the token or the limit is negative.
 */
export function revisionPage(
  token: string | undefined,
  limit: bigint | undefined,
  defaultLimit: number,
): RevisionPage {
  if (limit !== undefined && limit < 0n) throw invalid('page_limit: must not be negative');
  const wanted = limit === undefined || limit === 0n ? BigInt(defaultLimit) : limit;
  return {
    before: token === undefined || token === '' ? undefined : parsePageToken(token),
    limit: wanted > BigInt(MAX_REVISION_PAGE) ? MAX_REVISION_PAGE : Number(wanted),
  };
}

/**
 * Maximum number of characters of config text per page. The text is sent twice, and a message is
 * limited to 64 MiB.
 */
const MAX_PAGE_CHARACTERS = 8 * 1024 * 1024;

/**
 * Trims rows to a page. The caller has read one more row than the page's limit.
 * @returns the page and the token for the next page, which is empty if there is none.
 */
export function cutPage<Row extends { sequence: number; old_config_json: string }>(
  rows: Row[],
  limit: number,
): { page: Row[]; nextPageToken: string } {
  let characters = 0;
  const page = rows.slice(0, limit).filter((row, index) => {
    characters += row.old_config_json.length;
    return index === 0 || characters <= MAX_PAGE_CHARACTERS;
  });
  const last = page.at(-1);
  return {
    page,
    nextPageToken: rows.length > page.length && last ? createPageToken(last.sequence) : '',
  };
}

function createPageToken(sequence: number): string {
  return Buffer.from(`r${String(sequence)}`).toString('base64url');
}

function parsePageToken(token: string): number {
  const match = TOKEN.exec(Buffer.from(token, 'base64url').toString());
  if (!match) throw invalid('page_token: invalid page token');
  return Number(match[1]);
}

/** Edit as stored in histories. */
interface Edit {
  readonly editor_type: number;
  readonly editor_value: string;
}

/**
 * Returns a function that finds the authors of edits. Its result is in the wire format and
 * indicates whether the author's key has been deleted.
 */
export async function createEditorLookup(
  access: StoreAccess,
  edits: readonly Edit[],
): Promise<(edit: Edit) => AuthenticatorInfo> {
  const keys = edits.filter(isByKey).map(({ editor_value }) => editor_value);
  const existing = await existingKeyIds(access, keys);
  return (edit) =>
    create(AuthenticatorInfoSchema, {
      type: edit.editor_type,
      value: edit.editor_value,
      isDeactivated: isByKey(edit) && !existing.has(edit.editor_value),
    });
}

function isByKey({ editor_type }: Edit): boolean {
  return (editor_type as AuthenticationType) === AuthenticationType.API_KEY;
}
