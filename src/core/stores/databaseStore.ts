import type { LoadClients } from '../api/fleetClients';
import type { OrganizationId } from '../model/ids';

/** How the database of an organization is reached with clients of MongoDB. */
export interface DatabaseConnection {
  readonly host: string;
  /** With a word where the password belongs, which is not told. */
  readonly uri: string;
  /** Whether a password has been set. */
  readonly hasUser: boolean;
}

/** The databases of organizations. Nothing is kept here, passwords least of all. Methods throw `FleetError`. */
export class DatabaseStore {
  constructor(private readonly clients: LoadClients) {}

  /** Throws `conflict` when the service offers no such connection. */
  async connection(organization: OrganizationId): Promise<DatabaseConnection> {
    const { data } = await this.clients();
    const answer = await data.getDatabaseConnection({ organizationId: organization });
    const { hostname, mongodbUri, hasDatabaseUser } = answer;
    return { host: hostname, uri: mongodbUri, hasUser: hasDatabaseUser };
  }

  /** Sets the password of the organization's user; what is connected with another one is cut off. */
  async setPassword(organization: OrganizationId, password: string): Promise<void> {
    const { data } = await this.clients();
    await data.configureDatabaseUser({ organizationId: organization, password });
  }
}

/** The name of the user in a URI, which the service decides; nothing when there is none in it. */
export function userNameOf(uri: string): string | undefined {
  const [, name] = /^[a-z+]+:\/\/([^:@/]+)(?::[^@/]*)?@/.exec(uri) ?? [];
  try {
    return name === undefined ? undefined : decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
