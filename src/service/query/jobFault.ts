import { create } from '@bufbuild/protobuf';
import { ConnectError } from '@connectrpc/connect';
import { type QueryPlace, QueryPlaceSchema } from '../../gen/fleetwright/query/v1/query_pb';
import type { FaultPlace, JobFailure } from './jobMessages';

/** What the caller of a job reads of its failure; programs find the place in the query as a detail. */
export function jobFault({ code, message, place }: JobFailure): ConnectError {
  return new ConnectError(message, code, undefined, place && [detailOf(place)]);
}

function detailOf(place: FaultPlace) {
  const value: QueryPlace = create(QueryPlaceSchema, {
    place:
      'stage' in place
        ? { case: 'stage', value: { stage: place.stage, path: [...place.path] } }
        : { case: 'text', value: place },
  });
  return { desc: QueryPlaceSchema, value };
}
