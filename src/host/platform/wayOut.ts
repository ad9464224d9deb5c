import type { PlainCommandId } from '../../manifest/commands';
import type { HostHandlers } from '../../shared/protocol';
import type { WayOutWords, wayOutMessages } from '../../shared/wayOut';
import type { Commands } from './commandRegistry';
import { actionLabel } from './errorPresenter';

/** Returns the labels of recovery actions for a page that can't show its content. */
export function wayOutWords(): WayOutWords {
  return {
    retry: actionLabel('retry'),
    signIn: actionLabel('signIn'),
    startLocalFleet: actionLabel('startLocalFleet'),
  };
}

/**
 * Returns the handlers for recovery actions of a page.
 *
 * @param goOn reloads the data: a connection with another key is still the same one to its
 *   subscribers
 */
export function wayOutHandlers(
  commands: Pick<Commands, 'execute'>,
  goOn: () => unknown,
): HostHandlers<typeof wayOutMessages> {
  const after = async (id: PlainCommandId): Promise<void> => {
    await commands.execute(id);
    await goOn();
  };
  return {
    signIn: () => after('fleetwright.connection.signIn'),
    startLocalFleet: () => after('fleetwright.localFleet.start'),
  };
}
