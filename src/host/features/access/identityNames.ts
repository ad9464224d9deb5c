import type { OrganizationId } from '../../../core/model/ids';
import type { FleetStores } from '../../../core/stores/fleetStores';

/**
 * Returns the names of an organization's role holders by ID: email addresses of members, and names
 * of API keys. Skips holders that can't be read.
 */
export async function identityNames(
  { members, apiKeys }: FleetStores,
  organization: OrganizationId,
): Promise<ReadonlyMap<string, string>> {
  const [membership, keys] = await Promise.all([
    members.list(organization).catch(() => undefined),
    apiKeys.list(organization).catch(() => []),
  ]);
  return new Map<string, string>([
    ...(membership?.members ?? []).map(({ id, email }) => [id, email || id] as const),
    ...keys.map(({ id, name }) => [id, name || id] as const),
  ]);
}
