import { type DataRequest, Order } from '../../../gen/viam/app/data/v1/data_pb';
import { invalid } from '../../errors';
import type { ReadingsEnd, ReadingsPage } from '../../store/data/readingsPages';

const DEFAULT_LIMIT = 50;
/** However many a caller asks for: it goes on with the next page. */
const MAX_LIMIT = 10_000;
/** How much JSON an answer holds at most: it is larger on the wire, where 32 MiB are the limit. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

const TOKEN = /^t(-?\d{1,16})\.(\d{1,16})$/;

/**
 * Reads the paging fields of a request. Clients send a limit of 0 for the default.
 * @throws InvalidArgument when `last` is not one that was answered.
 */
export function readingsPage(request: DataRequest | undefined): ReadingsPage {
  const { limit = 0n, last = '', sortOrder = Order.UNSPECIFIED } = request ?? {};
  const wanted = limit === 0n ? BigInt(DEFAULT_LIMIT) : limit;
  return {
    oldestFirst: sortOrder === Order.ASCENDING,
    after: last === '' ? undefined : endOf(last),
    limit: wanted > BigInt(MAX_LIMIT) ? MAX_LIMIT : Number(wanted),
    maxBytes: MAX_PAGE_BYTES,
  };
}

/** The `last` of a page. */
export function lastOf({ requestedAt, id }: ReadingsEnd): string {
  return Buffer.from(`t${String(requestedAt)}.${String(id)}`).toString('base64url');
}

function endOf(last: string): ReadingsEnd {
  const match = TOKEN.exec(Buffer.from(last, 'base64url').toString());
  if (!match) {
    throw invalid('data_request.last: is not one that this operation has answered');
  }
  return { requestedAt: Number(match[1]), id: Number(match[2]) };
}
