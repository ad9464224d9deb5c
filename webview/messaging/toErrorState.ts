import { toRecoveryAction } from '../../src/shared/recoveryAction';
import type { ErrorState } from '../ui/createErrorBox';
import { HostError } from './hostConnection';

/** Converts an error to a message for the user and its recovery actions. */
export function toErrorState(error: unknown): ErrorState {
  const action = error instanceof HostError ? error.action : undefined;
  return {
    message: error instanceof Error ? error.message : String(error),
    way: toRecoveryAction(action),
  };
}
