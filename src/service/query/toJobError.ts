import { create } from '@bufbuild/protobuf';
import { ConnectError } from '@connectrpc/connect';
import { type QueryPlace, QueryPlaceSchema } from '../../gen/fleetwright/query/v1/query_pb';
import type { ErrorLocation, JobFailure } from './jobMessages';

/**
 * Converts a job's failure to an error for the caller. The error details contain the position in
 * the query in machine-readable form.
 */
export function toJobError({ code, message, location: place }: JobFailure): ConnectError {
  return new ConnectError(message, code, undefined, place && [toErrorDetail(place)]);
}

function toErrorDetail(location: ErrorLocation) {
  const value: QueryPlace = create(QueryPlaceSchema, {
    place:
      'stage' in location
        ? { case: 'stage', value: { stage: location.stage, path: [...location.path] } }
        : { case: 'text', value: location },
  });
  return { desc: QueryPlaceSchema, value };
}
