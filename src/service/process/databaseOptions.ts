import { usageError } from './commandError';

const DATABASE_URL = /^postgres(ql)?:\/\//i;

/**
 * Reads the database URL from the option or the environment.
 * @throws CommandError (usage) if it isn't a PostgreSQL URL.
 */
export function readDatabaseUrl(
  option: string | undefined,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const databaseUrl = option ?? (environment.FLEETWRIGHT_DATABASE_URL || undefined);
  if (databaseUrl !== undefined && !DATABASE_URL.test(databaseUrl)) {
    // The input can contain a password, so the error doesn't quote it.
    throw usageError('--database-url must be postgres://user:password@host:port/database');
  }
  return databaseUrl;
}
