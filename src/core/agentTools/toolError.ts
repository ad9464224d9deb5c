import { FleetError, type FleetErrorKind } from '../api/errors';

/** Creates an error whose message is for models, which is why it isn't translated. */
export function toolError(kind: FleetErrorKind, message: string): FleetError {
  return new FleetError(kind, message);
}
