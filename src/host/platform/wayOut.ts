import type { PlainCommandId } from '../../manifest/commands';
import type { HostHandlers } from '../../shared/protocol';
import type { WayOutWords, wayOutMessages } from '../../shared/wayOut';
import type { Commands } from './commandRegistry';
import { actionLabel } from './errorPresenter';

/** The words of what a page offers where it cannot show something. */
export function wayOutWords(): WayOutWords {
  return {
    retry: actionLabel('retry'),
    signIn: actionLabel('signIn'),
    startLocalFleet: actionLabel('startLocalFleet'),
  };
}

/**
 * Does what a page offers.
 *
 * @param goOn reads again: a connection that got another key is the same one to those that follow it
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
