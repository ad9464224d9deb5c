import type { PlainCommandId } from '../../../manifest/commands';
import type { HostHandlers } from '../../../shared/protocol';
import type { recoveryMessages } from '../../../shared/recoveryAction';
import type { Commands } from '../commands/commandRegistry';

/**
 * Returns the handlers for recovery actions on a page.
 *
 * @param goOn reloads the data. This is necessary because subscribers aren't notified if only a
 *   connection's key changes.
 */
export function createRecoveryHandlers(
  commands: Pick<Commands, 'execute'>,
  goOn: () => unknown,
): HostHandlers<typeof recoveryMessages> {
  const after = async (id: PlainCommandId): Promise<void> => {
    await commands.execute(id);
    await goOn();
  };
  return {
    signIn: () => after('fleetwright.connection.signIn'),
    startLocalFleet: () => after('fleetwright.localFleet.start'),
  };
}
