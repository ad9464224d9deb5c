import type { HostWayOut } from '../../src/shared/wayOut';
import type { TroubleActions } from '../ui/troubleBox';

interface WayOutHost {
  send(method: HostWayOut, params: undefined): void;
}

/** Recovery actions of a page: it retries itself, and its host does the rest. */
export function wayOutActions(host: WayOutHost, retry: () => void): TroubleActions {
  return {
    retry,
    signIn: () => host.send('signIn', undefined),
    startLocalFleet: () => host.send('startLocalFleet', undefined),
  };
}
