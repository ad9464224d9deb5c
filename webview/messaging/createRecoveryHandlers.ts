import type { HostRecoveryAction } from '../../src/shared/recoveryAction';
import type { RecoveryHandlers } from '../ui/createErrorBox';

interface RecoveryHost {
  send(method: HostRecoveryAction, params: undefined): void;
}

/**
 * Creates the recovery actions of a page. The page retries on its own; its host handles the other
 * actions.
 */
export function createRecoveryHandlers(host: RecoveryHost, retry: () => void): RecoveryHandlers {
  return {
    retry,
    signIn: () => host.send('signIn', undefined),
    startLocalFleet: () => host.send('startLocalFleet', undefined),
  };
}
