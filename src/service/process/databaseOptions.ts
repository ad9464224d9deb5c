import { usageError } from './commandError';

const DATABASE_URL = /^postgres(ql)?:\/\//i;

/**
 * Reads where the fleet is kept: from the option, or from the environment.
 * @throws CommandError (usage) when it is not an address of PostgreSQL.
 */
export function readDatabaseUrl(
  option: string | undefined,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const databaseUrl = option ?? (environment.FLEETWRIGHT_DATABASE_URL || undefined);
  if (databaseUrl !== undefined && !DATABASE_URL.test(databaseUrl)) {
    // The text may hold a password: it is not repeated.
    throw usageError('--database-url must be postgres://user:password@host:port/database');
  }
  return databaseUrl;
}
