import type { Trouble } from '../ui/troubleBox';
import { HostError } from './hostConnection';

/** What an error says to a person. */
export function troubleOf(error: unknown): Trouble {
  return {
    message: error instanceof Error ? error.message : String(error),
    canSignIn: error instanceof HostError && error.action === 'signIn',
  };
}
