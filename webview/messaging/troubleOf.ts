import { wayOutOf } from '../../src/shared/wayOut';
import type { Trouble } from '../ui/troubleBox';
import { HostError } from './hostConnection';

/** Converts an error to a message for the user and its recovery actions. */
export function troubleOf(error: unknown): Trouble {
  const action = error instanceof HostError ? error.action : undefined;
  return {
    message: error instanceof Error ? error.message : String(error),
    way: wayOutOf(action),
  };
}
