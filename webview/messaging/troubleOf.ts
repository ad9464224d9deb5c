import { wayOutOf } from '../../src/shared/wayOut';
import type { Trouble } from '../ui/troubleBox';
import { HostError } from './hostConnection';

/** What an error says to a person, and what helps by what it says of itself. */
export function troubleOf(error: unknown): Trouble {
  const action = error instanceof HostError ? error.action : undefined;
  return {
    message: error instanceof Error ? error.message : String(error),
    way: wayOutOf(action),
  };
}
