import { type DataRequest, Order } from '../../../gen/viam/app/data/v1/data_pb';
import { invalid } from '../../errors';
import type { ReadingsEnd, ReadingsPage } from '../../store/data/readingsPages';
import { createTimePageToken, pageLimit, parseTimePageToken } from '../momentPages';

/** Limits on the page size. Callers can continue with the next page. */
const LIMITS = { byDefault: 50, most: 10_000 };
/**
 * Maximum size of the JSON in a response. The encoded response, which is limited to 32 MiB, is
 * larger than the JSON.
 */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;
/** Prefix of the page tokens of readings. */
const LIST = 't';

/**
 * Parses the paging fields of a request. Clients send a limit of 0 to request the default.
 * @throws InvalidArgument if this service didn't issue `last`.
 */
export function readingsPage(request: DataRequest | undefined): ReadingsPage {
  const { limit = 0n, last = '', sortOrder = Order.UNSPECIFIED } = request ?? {};
  return {
    oldestFirst: sortOrder === Order.ASCENDING,
    after: last === '' ? undefined : parseLastToken(last),
    limit: pageLimit(limit, LIMITS),
    maxBytes: MAX_PAGE_BYTES,
  };
}

/** Returns the `last` token of a page. */
export function createLastToken({ requestedAt, id }: ReadingsEnd): string {
  return createTimePageToken(LIST, { at: requestedAt, id });
}

function parseLastToken(last: string): ReadingsEnd {
  const end = parseTimePageToken(LIST, last);
  if (end === undefined) {
    throw invalid('data_request.last: invalid page token');
  }
  return { requestedAt: end.at, id: end.id };
}
