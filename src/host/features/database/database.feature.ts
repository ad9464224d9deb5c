import { CommandFeature } from '../../platform/commands/commandRegistry';
import type { DatabaseTools } from './databaseCommands';

// Loaded on first use of one of its commands.
const databaseCommands = () => import('./databaseCommands');

/** Commands for the readings database: deleting old readings and connecting MongoDB clients. */
export class DatabaseFeature extends CommandFeature {
  constructor(tools: DatabaseTools) {
    super(tools.commands);
    this.command('fleetwright.database.setPassword', async (target) =>
      (await databaseCommands()).setDatabasePassword(tools, target),
    );
    this.command('fleetwright.database.show', async (target) =>
      (await databaseCommands()).showDatabase(tools, target),
    );
    this.command('fleetwright.readings.deleteOlder', async (target) =>
      (await databaseCommands()).deleteOldReadings(tools, target),
    );
  }
}
