import { join } from 'node:path';
import { deserialize } from 'bson';
import { dataLoss } from '../errors';
import type {
  ColdFiles,
  ColdReading,
  JobRunner,
  ReadJob,
  ReadPage,
  ReadTotals,
} from '../query/queryJob';
import { findColdProgress } from '../store/data/coldReadings';
import type { DeletedReadingsRow, LakeFileRow, LakeKey } from '../store/data/dataSchema';
import { startOfDay, toUtcDay } from '../store/data/dayCounts';
import { COLD_CATALOG, lakeContents, type UnsealedRange } from '../store/data/lakeManifest';
import { findReadingDays } from '../store/data/readingsPages';
import type { Store } from '../store/store';
import { deletedReadings } from './compaction';
import { type BlobFiles, type LocalFiles, UnreadableFileError } from './lakeFiles';

/** Files with an organization's cold readings, which exist until the disposal. */
export interface OpenColdFiles extends AsyncDisposable {
  cold: ColdFiles;
  /** All listed files, including those that aren't open. */
  listed: readonly LakeFileRow[];
}

/** Cold readings to read: those up to the ID `through`. */
export type ColdSelection = Pick<ReadJob, 'seriesIds' | 'start' | 'end' | 'storedFrom'> & {
  through: number;
};

/**
 * Cold readings: old readings that left the record store and are only in Parquet files. Unlike the
 * other files of the lake, these can't be rebuilt, so they are contents like images: immutable, named
 * by their hashes, part of backups, and checked before they are read (ADR 52).
 */
export class ColdReadings {
  /** @param files files of the catalog of cold readings. */
  constructor(
    private readonly store: Store,
    private readonly runner: JobRunner,
    private readonly files: BlobFiles,
  ) {}

  /**
   * Opens the files with an organization's cold readings.
   * @param isIncluded selects files.
   * @returns undefined if the organization has no cold readings.
   * @throws DataLoss if a file is missing or damaged.
   */
  async open(
    organizationId: string,
    isIncluded: (file: LakeFileRow) => boolean,
    through?: number,
  ): Promise<OpenColdFiles | undefined> {
    const { store } = this;
    const boundary = through ?? (await findColdProgress(store, organizationId)).removed;
    if (boundary === 0) return undefined;
    let unreadable: string | undefined;
    for (;;) {
      const { files, deletions } = await lakeContents(store, createColdKey(organizationId));
      if (files.some(({ name }) => name === unreadable)) {
        throw dataLoss(
          'files with old readings are missing or damaged, and they are the only copy: the operator of the service ' +
            'must restore them from a backup; "service verify" lists them',
        );
      }
      try {
        const local = await this.files.open(organizationId, files.filter(isIncluded));
        const cold = toColdFiles(local, deletions, { after: 0, through: boundary });
        return { cold, listed: files, [Symbol.asyncDispose]: () => local[Symbol.asyncDispose]() };
      } catch (error) {
        // The file might have been replaced and deleted since it was listed.
        if (!(error instanceof UnreadableFileError)) throw error;
        unreadable = error.fileName;
      }
    }
  }

  /** Reads a page of an organization's cold readings. */
  async readPage(
    organizationId: string,
    selection: ColdSelection,
    page: ReadPage,
    signal?: AbortSignal,
  ): Promise<ColdReading[]> {
    return await this.read<ColdReading>(organizationId, selection, page, signal);
  }

  /** Returns the number and the total size of an organization's cold readings in a selection. */
  async count(
    organizationId: string,
    selection: ColdSelection,
    signal?: AbortSignal,
  ): Promise<ReadTotals> {
    const [totals] = await this.read<ReadTotals>(organizationId, selection, 'totals', signal);
    return totals ?? NO_READINGS;
  }

  private async read<T>(
    organizationId: string,
    { through, ...selection }: ColdSelection,
    result: ReadJob['result'],
    signal: AbortSignal | undefined,
  ): Promise<T[]> {
    const { start = -Infinity, end = Infinity, storedFrom = -Infinity, seriesIds } = selection;
    // Each file contains the readings of one day.
    const days = seriesIds && (await findReadingDays(this.store, seriesIds, toDays(selection)));
    const isIncluded = ({ day, last_synced_at: storedTo }: LakeFileRow): boolean =>
      startOfDay(day + 1) > start &&
      startOfDay(day) < end &&
      storedTo >= storedFrom &&
      days?.has(day) !== false;
    if (days?.size === 0) return [];
    await using files = await this.open(organizationId, isIncluded, through);
    if (files === undefined || files.cold.files.length === 0) return [];
    const rows: T[] = [];
    const job = { kind: 'read', organizationId, cold: files.cold, ...selection, result } as const;
    for await (const document of this.runner.run(job, signal)) {
      rows.push(deserialize(document) as T);
    }
    return rows;
  }
}

/** Totals of no readings, as a job returns them. */
export const NO_READINGS: ReadTotals = { count: 0, bytes: 0, checksum: '0' };

/** Returns the key of an organization's files with cold readings. */
export function createColdKey(organizationId: string): LakeKey {
  return { catalogId: COLD_CATALOG, organizationId };
}

/** Returns local files with a range of cold readings, in the form that jobs expect. */
export function toColdFiles(
  { directory, names }: Pick<LocalFiles, 'directory' | 'names'>,
  deletions: readonly DeletedReadingsRow[],
  range: UnsealedRange,
): ColdFiles {
  return {
    files: names.map((name) => join(directory, name)),
    deletions: deletions.map(deletedReadings),
    ...range,
  };
}

function toDays({ start, end }: Pick<ColdSelection, 'start' | 'end'>) {
  return {
    start: start === undefined ? undefined : toUtcDay(start),
    end: end === undefined ? undefined : toUtcDay(end) + 1,
  };
}
