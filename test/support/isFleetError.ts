import { FleetError } from '../../src/core/api/errors';

/** Returns true for a `FleetError` of a kind. */
export function isFleetError(error: unknown, kind: FleetError['kind']): error is FleetError {
  return error instanceof FleetError && error.kind === kind;
}
