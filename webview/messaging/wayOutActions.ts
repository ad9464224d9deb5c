import type { HostWayOut } from '../../src/shared/wayOut';
import type { TroubleActions } from '../ui/troubleBox';

interface WayOutHost {
  send(method: HostWayOut, params: undefined): void;
}

/** What a page does about trouble: it tries again by itself, and has its host do the rest. */
export function wayOutActions(host: WayOutHost, retry: () => void): TroubleActions {
  return {
    retry,
    signIn: () => host.send('signIn', undefined),
    startLocalFleet: () => host.send('startLocalFleet', undefined),
  };
}
