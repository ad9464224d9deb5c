import { create } from '@bufbuild/protobuf';
import { ConnectError } from '@connectrpc/connect';
import { type QueryPlace, QueryPlaceSchema } from '../../gen/fleetwright/query/v1/query_pb';
import type { ErrorLocation, JobFailure } from './jobMessages';

/**
 * Converts a job's failure to an error for the caller. The error details contain the position in
 * the query in machine-readable form.
 */
export function toJobError({ code, message, place }: JobFailure): ConnectError {
  return new ConnectError(message, code, undefined, place && [toErrorDetail(place)]);
}

function toErrorDetail(place: ErrorLocation) {
  const value: QueryPlace = create(QueryPlaceSchema, {
    place:
      'stage' in place
        ? { case: 'stage', value: { stage: place.stage, path: [...place.path] } }
        : { case: 'text', value: place },
  });
  return { desc: QueryPlaceSchema, value };
}
