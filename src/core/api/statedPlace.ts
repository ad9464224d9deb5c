import { ConnectError } from '@connectrpc/connect';
import { type QueryPlace, QueryPlaceSchema } from '../../gen/fleetwright/query/v1/query_pb';
import type { FleetError } from './errors';

/** Where a service of our own says that a query is wrong; others say nothing that is meant for programs. */
export function statedPlace({ cause }: FleetError): QueryPlace['place'] | undefined {
  if (!(cause instanceof ConnectError)) return undefined;
  return cause.findDetails(QueryPlaceSchema)[0]?.place;
}
