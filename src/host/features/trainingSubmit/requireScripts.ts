import { cancelled } from '../../../core/api/errors';
import type { ConnectionId } from '../../../core/model/ids';
import { settings } from '../../../manifest/settings';
import type { FleetTools } from '../../platform/fleetTools';
import { requireConnection } from '../../platform/requireConnection';
import { readSetting } from '../../platform/settingsReader';

/**
 * Asks whether the fleet of this computer may run training scripts, before much else is asked. Other
 * services say themselves whether they do. Throws `cancelled`.
 */
export async function requireScripts(
  { sessions, commands }: Pick<FleetTools, 'sessions' | 'commands'>,
  connection: ConnectionId,
): Promise<void> {
  if (requireConnection(sessions, connection).kind !== 'local') return;
  if (readSetting(settings.localFleetScripts)) return;
  await commands.execute('fleetwright.localFleet.allowScripts');
  // Whoever left the question has left this, too.
  if (!readSetting(settings.localFleetScripts)) throw cancelled();
}
