import type { KeyValue } from '../../../core/ports';
import type { BulkDocuments } from '../../platform/bulkDocuments';
import type { BulkReports } from '../../platform/bulkReports';
import type { FleetTools } from '../../platform/fleetTools';

/** Dependencies of uploads. */
export interface UploadTools extends FleetTools {
  readonly documents: BulkDocuments;
  readonly reports: BulkReports;
  /** Storage for the part of the last upload. */
  readonly storage: KeyValue;
}
