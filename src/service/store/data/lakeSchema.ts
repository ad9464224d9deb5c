import type { Selectable } from 'kysely';
import type { Micros } from '../micros';

/** Table of the progress of sealing an organization's readings to files in a folder. */
export interface LakeProgressTable {
  /** ID of a folder of files. Services that share a database each have one folder. */
  place: string;
  organization_id: string;
  /** ID up to which all readings are either in files or deleted. */
  sealed_through: number;
}

/** Table of files, each with readings that one organization captured on one day. */
export interface LakeFilesTable {
  name: string;
  place: string;
  organization_id: string;
  /** Number of whole UTC days since the Unix epoch. */
  day: number;
  row_count: number;
  byte_count: number;
  /** Time when the service stored the most recent reading in the file. */
  last_synced_at: Micros;
  /** JSON representation of the shape of the values in the file. */
  shape: string;
}

/**
 * Table of marks for deleted readings that might still be in older files. A mark applies to
 * readings of a series and day with an ID up to `through_id`, as far as the deletion has
 * progressed.
 */
export interface DeletedReadingsTable {
  place: string;
  series_id: number;
  day: number;
  through_id: number;
  organization_id: string;
  /** Capture time of the last deleted reading. */
  deleted_to: Micros;
}

/** Tables of the lake. */
export interface LakeSchema {
  lake_progress: LakeProgressTable;
  lake_files: LakeFilesTable;
  deleted_readings: DeletedReadingsTable;
}

export type LakeFileRow = Selectable<LakeFilesTable>;
export type DeletedReadingsRow = Selectable<DeletedReadingsTable>;
