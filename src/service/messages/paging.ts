import { invalid } from '../errors';
import type { Micros } from '../store/micros';

/** Returns the maximum number of rows on a page. A limit of 0 in the request means the default. */
export function pageLimit(
  requested: bigint,
  { byDefault, max }: { byDefault: number; max: number },
): number {
  return requested === 0n ? byDefault : Math.min(Number(requested), max);
}

/** Codec for a list's page tokens, which clients send to request the next page. */
export interface PageTokens<End> {
  /** Returns the token for the page after a row; an empty token if there is no such page. */
  create: (end: End | undefined) => string;
  /**
   * Parses the end of the previous page from a token. Returns undefined for an empty token, which
   * requests the first page.
   * @param field field that contains the token, for error messages.
   * @throws InvalidArgument if the string is not a token for the list.
   */
  parse: (token: string, field?: string) => End | undefined;
}

/** End of a page in a list that is sorted by time: the time and ID of the page's last row. */
export interface TimePageEnd<Id> {
  at: Micros;
  id: Id;
}

const AT = String.raw`(-?\d{1,16})\.`;
const ROW_END = new RegExp(String.raw`^${AT}(\d{1,16})$`);
const ITEM_END = new RegExp(`^${AT}([0-9a-f-]{36})$`);
const SEQUENCE = /^\d{1,15}$/;

/**
 * Returns the tokens of a list of numbered rows that is sorted by time.
 * @param list prefix that distinguishes the tokens of different lists.
 */
export function createRowPageTokens(list: string): PageTokens<TimePageEnd<number>> {
  return createPageTokens(
    ({ at, id }) => encode(list, `${String(at)}.${String(id)}`),
    (token) => {
      const [, at, id] = ROW_END.exec(decode(list, token)) ?? [];
      return at === undefined ? undefined : { at: Number(at), id: Number(id) };
    },
  );
}

/** Tokens of lists of items with UUIDs that are sorted by time. */
export const itemPageTokens: PageTokens<TimePageEnd<string>> = createPageTokens(
  ({ at, id }) => `${String(at)}.${id}`,
  (token) => {
    const [, at, id] = ITEM_END.exec(token) ?? [];
    return at === undefined || id === undefined ? undefined : { at: Number(at), id };
  },
);

/**
 * Returns the tokens of a list that is sorted by sequence number.
 * @param list prefix that distinguishes the tokens of different lists.
 */
export function createSequencePageTokens(list: string): PageTokens<number> {
  return createPageTokens(
    (sequence) => encode(list, String(sequence)),
    (token) => {
      const sequence = decode(list, token);
      return SEQUENCE.test(sequence) ? Number(sequence) : undefined;
    },
  );
}

function createPageTokens<End>(
  format: (end: End) => string,
  parse: (token: string) => End | undefined,
): PageTokens<End> {
  return {
    create: (end) => (end === undefined ? '' : format(end)),
    parse: (token, field = 'page_token') => {
      if (token === '') return undefined;
      const end = parse(token);
      if (end === undefined) {
        throw invalid(
          `${field}: must be the value from an earlier response, or empty for the first page`,
        );
      }
      return end;
    },
  };
}

function encode(list: string, position: string): string {
  return Buffer.from(`${list}${position}`).toString('base64url');
}

/** Returns the position in a token; an empty string if the token belongs to another list. */
function decode(list: string, token: string): string {
  const text = Buffer.from(token, 'base64url').toString();
  return text.startsWith(list) ? text.slice(list.length) : '';
}
