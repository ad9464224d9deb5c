import type { BulkTarget } from '../../../../core/data/bulkTarget';
import { everyCapture } from '../../../../core/model/captureFilter';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { listOrganizations } from './actionText';

/** Returns the tags in use in the items' organizations. */
export function knownTags(
  { binaryData }: FleetStores,
  target: BulkTarget,
): Promise<readonly string[]> {
  return binaryData.listTags({ ...everyCapture, organizationIds: listOrganizations(target) });
}
