import { FleetError } from '../api/errors';
import type { Organization } from '../model/entities';
import { type OrganizationId, organizationId } from '../model/ids';
import type { ToolContext } from './agentTool';
import { id, integer, optional } from './toolSchema';

/** Parameter for an organization, which most keys have only one of. */
export const ORGANIZATION = optional(
  id('ID of the organization. Can be omitted if the connection has only one organization.'),
);

/** Parameter for the position in a list that tools read completely. */
export const OFFSET = optional(
  integer('Number of rows to skip, for the next rows of a long list.', { min: 0, max: 1_000_000 }),
);

/**
 * Returns the requested organization, or all organizations that the key can list.
 *
 * @throws FleetError
 */
export async function selectOrganizations(
  { stores, signal }: ToolContext,
  requestedId: string | undefined,
): Promise<readonly Organization[]> {
  if (requestedId === undefined) return stores.organizations.list({ signal, fresh: true });
  return [await stores.organizations.get(organizationId(requestedId), { signal, fresh: true })];
}

/**
 * Reads the locations of all organizations again, for finding a resource in the cached lists. Agents
 * run for hours, and nothing else updates the caches of the command line.
 */
export async function refreshLocations({ stores, signal }: ToolContext): Promise<void> {
  const options = { signal, fresh: true };
  const organizations = await stores.organizations.list(options);
  await Promise.all(organizations.map(({ id: owner }) => stores.locations.list(owner, options)));
}

/**
 * Returns the ID of the requested organization, or of the only one that the key can list.
 *
 * @throws FleetError `invalid` if there are several and none is requested
 */
export async function requireOrganization(
  { stores, signal }: ToolContext,
  requestedId: string | undefined,
): Promise<OrganizationId> {
  if (requestedId !== undefined) return organizationId(requestedId);
  const organizations = await stores.organizations.list({ signal });
  const [only, ...others] = organizations;
  if (only && others.length === 0) return only.id;
  throw new FleetError(
    'invalid',
    `organizationId is missing. The connection has ${organizations.length} organizations, which fleetwright_list_organizations lists.`,
  );
}

/** Skips the number of rows in the parameter `offset`. */
export function fromOffset<T>(rows: readonly T[], offset = 0): readonly T[] {
  return rows.slice(offset);
}
