import { invalid } from '../../errors';
import type { PageEnd } from '../../store/data/binaryPages';
import type { BinaryDataRow } from '../../store/data/dataSchema';

const TOKEN = /^(-?\d{1,16})\.([0-9a-f-]{36})$/;

/** Returns the token that clients send to request the next page; empty if the page is empty. */
export function createPageToken(page: readonly BinaryDataRow[]): string {
  const last = page.at(-1);
  return last === undefined ? '' : `${String(last.requested_at)}.${last.id}`;
}

/**
 * Parses a page token. Returns the item after which the page starts; undefined for the first page.
 * @throws InvalidArgument if this service didn't issue the token.
 */
export function parsePageToken(last: string): PageEnd | undefined {
  if (last === '') {
    return undefined;
  }
  const [, requestedAt, id] = TOKEN.exec(last) ?? [];
  if (requestedAt === undefined || id === undefined) {
    throw invalid('last: must be the value from an earlier response, or empty for the first page');
  }
  return { requestedAt: Number(requestedAt), id };
}
