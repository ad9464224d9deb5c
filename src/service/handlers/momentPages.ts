import type { Micros } from '../store/micros';

/** End of a page in a list that is sorted by time: the time and ID of the page's last row. */
export interface TimePageEnd {
  at: Micros;
  id: number;
}

const END = /^([a-z])(-?\d{1,16})\.(\d{1,16})$/;

/**
 * Returns the token that clients send to request the next page.
 * @param list letter that distinguishes the tokens of different lists.
 */
export function createTimePageToken(list: string, { at, id }: TimePageEnd): string {
  return Buffer.from(`${list}${String(at)}.${String(id)}`).toString('base64url');
}

/**
 * Parses the end of the previous page from a token. Returns undefined if the text is not a token of
 * the list.
 */
export function parseTimePageToken(list: string, token: string): TimePageEnd | undefined {
  const [, of, at, id] = END.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  return of === list ? { at: Number(at), id: Number(id) } : undefined;
}

/** Returns the maximum number of rows on a page. A limit of 0 in the request means the default. */
export function pageLimit(
  requested: bigint,
  { byDefault, most }: { byDefault: number; most: number },
): number {
  return requested === 0n ? byDefault : Math.min(Number(requested), most);
}
