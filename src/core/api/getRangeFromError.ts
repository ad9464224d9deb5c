import { ConnectError } from '@connectrpc/connect';
import { type QueryPlace, QueryPlaceSchema } from '../../gen/fleetwright/query/v1/query_pb';
import type { FleetError } from './errors';

/**
 * Returns the position of an error in a query. Only our own services report it in a form that
 * programs can parse.
 */
export function getRangeFromError({ cause }: FleetError): QueryPlace['place'] | undefined {
  if (!(cause instanceof ConnectError)) return undefined;
  return cause.findDetails(QueryPlaceSchema)[0]?.place;
}
