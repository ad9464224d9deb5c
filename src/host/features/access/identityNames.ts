import type { OrganizationId } from '../../../core/model/ids';
import type { FleetStores } from '../../../core/stores/fleetStores';

/**
 * The names of those who can hold roles in an organization, by their ids: addresses of members and
 * names of API keys. What the key may not read is left out.
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
