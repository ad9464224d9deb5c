import { FragmentVisibility } from '../../gen/viam/app/v1/fragment_pb';
import { FIRST_USER_EMAIL, type OwnerCredentials } from '../auth/bootstrap';
import type { Stage } from './story';

const VISIBILITIES = [
  FragmentVisibility.PRIVATE,
  FragmentVisibility.PUBLIC,
  FragmentVisibility.PUBLIC_UNLISTED,
];

/**
 * Deletes the data from an interrupted load, which is all data except the first organization and
 * its key.
 */
export async function emptyFleet(
  { owner, data, datasets }: Pick<Stage, 'owner' | 'data' | 'datasets'>,
  credentials: OwnerCredentials,
): Promise<void> {
  const { organizationId, apiKeyId } = credentials;
  const { organizations } = await owner.listOrganizations({});
  for (const { id } of organizations.filter(({ id }) => id !== organizationId)) {
    await owner.deleteOrganization({ organizationId: id });
  }
  // Otherwise, captured data would remain after its machines are deleted.
  await data.deleteTabularData({ organizationId, deleteOlderThanDays: 0 });
  await data.deleteBinaryDataByFilter({
    filter: { organizationIds: [organizationId] },
    includeInternalData: true,
  });
  const listed = await datasets.listDatasetsByOrganizationID({ organizationId });
  for (const { id } of listed.datasets) {
    await datasets.deleteDataset({ id });
  }
  const { locations } = await owner.listLocations({ organizationId });
  for (const { id } of locations.filter((location) => location.parentLocationId === '')) {
    await owner.deleteLocation({ locationId: id });
  }
  const { fragments } = await owner.listFragments({
    organizationId,
    fragmentVisibility: VISIBILITIES,
  });
  for (const { id } of fragments.filter((one) => one.organizationOwner === organizationId)) {
    await owner.deleteFragment({ id });
  }
  // At this point, no config refers to registry items anymore.
  const { items } = await owner.listRegistryItems({ organizationId });
  for (const { itemId } of items) {
    await owner.deleteRegistryItem({ itemId });
  }
  const { apiKeys } = await owner.listKeys({ orgId: organizationId });
  for (const { apiKey } of apiKeys) {
    if (apiKey !== undefined && apiKey.id !== apiKeyId) await owner.deleteKey({ id: apiKey.id });
  }
  const { members, invites } = await owner.listOrganizationMembers({ organizationId });
  for (const { userId, emails } of members) {
    if (!emails.includes(FIRST_USER_EMAIL)) {
      await owner.deleteOrganizationMember({ organizationId, userId });
    }
  }
  for (const { email } of invites) {
    await owner.deleteOrganizationInvite({ organizationId, email });
  }
}
