import type { Dataset as WireDataset } from '../../gen/viam/app/dataset/v1/dataset_pb';
import { toDate } from './fromWire';
import { type DatasetId, datasetId, type OrganizationId, organizationId } from './ids';

/** Named collection of binary items in one organization. */
export interface Dataset {
  readonly id: DatasetId;
  readonly organizationId: OrganizationId;
  readonly name: string;
  readonly createdOn: Date | undefined;
}

export function datasetFromWire(wire: WireDataset): Dataset {
  return {
    id: datasetId(wire.id),
    organizationId: organizationId(wire.organizationId),
    name: wire.name,
    createdOn: toDate(wire.timeCreated),
  };
}
