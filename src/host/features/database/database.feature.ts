import { CommandFeature } from '../../platform/commandFeature';
import { setDatabasePassword, showDatabase } from './databaseConnection';
import { type DatabaseTools, deleteOldReadings } from './deleteOldReadings';

/** Readings as a whole: deleting old ones, and how they are reached with clients of MongoDB. */
export class DatabaseFeature extends CommandFeature {
  constructor(tools: DatabaseTools) {
    super(tools.commands);
    this.command('fleetwright.database.setPassword', (target) =>
      setDatabasePassword(tools, target),
    );
    this.command('fleetwright.database.show', (target) => showDatabase(tools, target));
    this.command('fleetwright.readings.deleteOlder', (target) => deleteOldReadings(tools, target));
  }
}
