import type { DataShape, ReadingsFiles } from '../query/readingsFiles';
import type { DeletedReadingsRow, LakeFileRow } from '../store/data/lakeSchema';
import type { Micros } from '../store/micros';
import { deletedReadings } from './compaction';
import { boundedShape, mergeShapes } from './dataShape';

/** The shapes of organizations as they were last: reading that of every file takes long. */
export class OrganizationShapes {
  readonly #known = new Map<string, { files: ReadonlySet<string>; shape: DataShape }>();

  /** The shape over all files; what only files had that are gone may be in it as well. */
  of(organizationId: string, files: readonly LakeFileRow[]): DataShape {
    const known = this.#known.get(organizationId);
    const added = files.filter(({ name }) => known?.files.has(name) !== true);
    if (known !== undefined && added.length === 0) {
      return known.shape;
    }
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

/** What a query reads of the files of an organization. */
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
    /** Only files with something that was stored then or later. */
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
