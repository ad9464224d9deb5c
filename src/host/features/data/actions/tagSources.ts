import type { BulkTarget } from '../../../../core/data/bulkTarget';
import { everyCapture } from '../../../../core/model/captureFilter';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { organizationsOf } from './actionText';

/** Tags that are in use in the organizations of the items. */
export function knownTags(
  { binaryData }: FleetStores,
  target: BulkTarget,
): Promise<readonly string[]> {
  return binaryData.tagsOf({ ...everyCapture, organizationIds: organizationsOf(target) });
}
