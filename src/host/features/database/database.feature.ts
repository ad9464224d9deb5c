import { CommandFeature } from '../../platform/commandFeature';
import type { DatabaseTools } from './deleteOldReadings';

// Loaded when one of its commands is called first.
const deleteOldReadings = () => import('./deleteOldReadings');
const databaseConnection = () => import('./databaseConnection');

/** Readings as a whole: deleting old ones, and how they are reached with clients of MongoDB. */
export class DatabaseFeature extends CommandFeature {
  constructor(tools: DatabaseTools) {
    super(tools.commands);
    this.command('fleetwright.database.setPassword', async (target) =>
      (await databaseConnection()).setDatabasePassword(tools, target),
    );
    this.command('fleetwright.database.show', async (target) =>
      (await databaseConnection()).showDatabase(tools, target),
    );
    this.command('fleetwright.readings.deleteOlder', async (target) =>
      (await deleteOldReadings()).deleteOldReadings(tools, target),
    );
  }
}
