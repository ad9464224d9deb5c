import type { KeyValue } from '../../../core/ports';
import type { BulkDocuments } from '../../platform/bulkDocuments';
import type { BulkReports } from '../../platform/bulkReports';
import type { FleetTools } from '../../platform/fleetTools';

/** What uploads work with. */
export interface UploadTools extends FleetTools {
  readonly documents: BulkDocuments;
  readonly reports: BulkReports;
  /** Remembers the part that was uploaded to. */
  readonly storage: KeyValue;
}
