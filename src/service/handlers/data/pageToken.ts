import { invalid } from '../../errors';
import type { PageEnd } from '../../store/data/binaryPages';
import type { BinaryDataRow } from '../../store/data/dataSchema';

const TOKEN = /^(-?\d{1,16})\.([0-9a-f-]{36})$/;

/** What clients send back to get the page after this one; empty when the page has nothing. */
export function pageTokenOf(page: readonly BinaryDataRow[]): string {
  const last = page.at(-1);
  return last === undefined ? '' : `${String(last.requested_at)}.${last.id}`;
}

/**
 * The item after which a page begins; undefined for the first page.
 * @throws InvalidArgument when the text is not from an answer of this service.
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
