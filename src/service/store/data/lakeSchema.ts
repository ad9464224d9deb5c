import type { Selectable } from 'kysely';
import type { Micros } from '../micros';

/** How far the readings of an organization are in the files of a place. */
export interface LakeProgressTable {
  /** Names a folder of files: services that share a database have one each. */
  place: string;
  organization_id: string;
  /** Readings with this id or a lower one are in files, or deleted. */
  sealed_through: number;
}

/** A file with readings of one organization that were captured on one day. */
export interface LakeFilesTable {
  name: string;
  place: string;
  organization_id: string;
  /** Whole UTC days since the Unix epoch. */
  day: number;
  row_count: number;
  byte_count: number;
  /** When the service stored the latest of its readings. */
  last_synced_at: Micros;
  /** JSON form of the shape of its values. */
  shape: string;
}

/**
 * Readings that are deleted, and may be in files that were written before: those of a series and day
 * with this id or a lower one, as far as the deletion got.
 */
export interface DeletedReadingsTable {
  place: string;
  series_id: number;
  day: number;
  through_id: number;
  organization_id: string;
  /** The last moment of capture that is deleted. */
  deleted_to: Micros;
}

/** The tables of the lake. */
export interface LakeSchema {
  lake_progress: LakeProgressTable;
  lake_files: LakeFilesTable;
  deleted_readings: DeletedReadingsTable;
}

export type LakeFileRow = Selectable<LakeFilesTable>;
export type DeletedReadingsRow = Selectable<DeletedReadingsTable>;
