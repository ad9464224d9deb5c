import type { FleetClients } from '../api/fleetClients';
import type { OrganizationId } from '../model/ids';

/** Parameters for connecting MongoDB clients to an organization's database. */
export interface DatabaseConnection {
  readonly host: string;
  /** Connection string with a placeholder for the password, because the service never sends it. */
  readonly uri: string;
  /** True if a password has been set. */
  readonly hasUser: boolean;
}

/**
 * Databases of organizations. Doesn't store anything, in particular no passwords. Methods throw
 * `FleetError`.
 */
export class DatabaseStore {
  constructor(private readonly clients: FleetClients) {}

  /**
   * Returns the connection parameters. Throws `conflict` if the service doesn't provide a database
   * connection.
   */
  async connection(organization: OrganizationId): Promise<DatabaseConnection> {
    const answer = await this.clients.data.getDatabaseConnection({ organizationId: organization });
    const { hostname, mongodbUri, hasDatabaseUser } = answer;
    return { host: hostname, uri: mongodbUri, hasUser: hasDatabaseUser };
  }

  /**
   * Sets the password of the organization's database user and disconnects clients that use the
   * previous password.
   */
  async setPassword(organization: OrganizationId, password: string): Promise<void> {
    await this.clients.data.configureDatabaseUser({ organizationId: organization, password });
  }
}

/**
 * Returns the name of the user in a URI, which the service chooses; undefined if the URI contains
 * no user.
 */
export function parseUserName(uri: string): string | undefined {
  const [, name] = /^[a-z+]+:\/\/([^:@/]+)(?::[^@/]*)?@/.exec(uri) ?? [];
  try {
    return name === undefined ? undefined : decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
