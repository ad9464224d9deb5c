import type { DataShape, ReadingsFiles } from '../query/queryJob';
import type { DeletedReadingsRow, LakeFileRow } from '../store/data/dataSchema';
import type { Micros } from '../store/micros';
import { deletedReadings } from './compaction';
import { boundedShape, mergeShapes } from './dataShape';

/**
 * Cache of the organizations' shapes, because reading the shapes of all files takes a long time.
 */
export class OrganizationShapes {
  readonly #known = new Map<string, { files: ReadonlySet<string>; shape: DataShape }>();

  /**
   * Returns the merged shape of all files. The shape can include fields that only deleted files
   * contained.
   */
  of(organizationId: string, files: readonly LakeFileRow[]): DataShape {
    const known = this.#known.get(organizationId);
    const added = files.filter(({ name }) => known?.files.has(name) !== true);
    if (known !== undefined && added.length === 0) return known.shape;
    const merged = added
      .map((file) => JSON.parse(file.shape) as DataShape)
      .reduce((all, next) => mergeShapes(all, next), known?.shape ?? 'NULL');
    const shape = boundedShape(merged);
    this.#known.set(organizationId, { files: new Set(files.map(({ name }) => name)), shape });
    return shape;
  }

  forget(organizationId: string): void {
    this.#known.delete(organizationId);
  }
}

/** Returns an organization's files that a query reads. */
export function readingsFiles(
  { files, deletions }: { files: readonly LakeFileRow[]; deletions: readonly DeletedReadingsRow[] },
  {
    organizationId,
    directory,
    storedFrom,
    shapes,
  }: {
    organizationId: string;
    directory: string;
    /** Storage time from which data is included. Files with only older data are excluded. */
    storedFrom: Micros | undefined;
    shapes: OrganizationShapes;
  },
): ReadingsFiles {
  const wanted = files.filter(
    ({ last_synced_at }) => storedFrom === undefined || last_synced_at >= storedFrom,
  );
  return {
    directory,
    files: wanted.map(({ name }) => name),
    deletions: deletions.map(deletedReadings),
    storedFrom,
    shape: shapes.of(organizationId, files),
  };
}
