import { type BinaryItem, type BoundingBox, getUserTags } from '../../../../core/model/binaryItem';
import { toMilliseconds } from '../../../../core/model/timestamp';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { ItemView } from '../../../../shared/data/items';
import type { BoxEdits, ShownBox } from '../../../../core/data/boxes/boxEdits';
import type { BoxProblem } from '../../../../core/data/boxes/trackedBox';
import type { BoxView, EditedBox, EditedImage } from '../../../../shared/data/boxes';

/** Names of datasets by ID. */
export type DatasetNames = ReadonlyMap<string, string>;

/** Returns the names of the datasets in the items' organizations. Skips unreadable datasets. */
export async function getDatasetNames(
  stores: FleetStores,
  items: readonly BinaryItem[],
): Promise<DatasetNames> {
  const grouped = items.filter(({ datasetIds }) => datasetIds.length > 0);
  const organizations = new Set(grouped.map(({ source }) => source.organizationId));
  const lists = await Promise.all(
    [...organizations].map((id) => stores.datasets.list(id).catch(() => [])),
  );
  return new Map(lists.flat().map(({ id, name }) => [id, name]));
}

/** Converts an item for the webview. */
export function itemView(item: BinaryItem, index: number, datasets: DatasetNames): ItemView {
  const { machineName, partName, componentName } = item.source;
  return {
    id: item.id,
    index,
    name: itemName(item),
    at: toMilliseconds(item.at),
    sizeBytes: item.sizeBytes,
    extension: item.fileExtension.toLowerCase(),
    mimeType: item.mimeType,
    origin: [machineName, partName, componentName].filter((name) => name !== '').join(' › '),
    tags: getUserTags(item),
    boxes: item.boxes.map(boxView),
    datasets: item.datasetIds.map((id) => datasets.get(id) ?? id),
  };
}

/** Parts of an item's name. */
export interface NamedItem extends Pick<BinaryItem, 'id' | 'fileName' | 'fileExtension'> {
  readonly source: Pick<BinaryItem['source'], 'componentName'>;
}

/**
 * Returns an item's name. Camera captures usually have no file name, and their source is more
 * informative than their ID.
 */
export function itemName({ fileName, fileExtension, source, id }: NamedItem): string {
  return (fileName || source.componentName || id) + fileExtension;
}

/** Returns an item's file name for its tile; undefined for items that are not files. */
export function getItemFileName(item: BinaryItem): string | undefined {
  return item.fileName || item.fileExtension ? itemName(item) : undefined;
}

/**
 * Converts a box for the webview. Numbers that aren't finite become 0, because JSON can't represent
 * them.
 */
function boxView({ id, label, confidence, ...corners }: BoundingBox): BoxView {
  const finite = (value: number): number => (Number.isFinite(value) ? value : 0);
  return {
    id,
    label,
    xMin: finite(corners.xMin),
    yMin: finite(corners.yMin),
    xMax: finite(corners.xMax),
    yMax: finite(corners.yMax),
    ...(confidence !== undefined && { confidence: finite(confidence) }),
  };
}

/**
 * Converts an annotated image for the webview.
 * @param formatProblem returns the reason that a box isn't saved
 */
export function editedImage(
  image: string,
  sequence: number,
  edits: BoxEdits,
  formatProblem: (problem: BoxProblem) => string,
): EditedImage {
  const { isSaving: saving, canUndo, canRedo } = edits;
  const boxes = edits.shown().map((box) => editedBox(box, formatProblem));
  return { image, sequence, boxes, saving, canUndo, canRedo };
}

function editedBox(
  { key, content, deleted, state, problem, leftovers }: ShownBox,
  formatProblem: (problem: BoxProblem) => string,
): EditedBox {
  return {
    ...boxView({ id: key, ...content }),
    deleted,
    state,
    problem: problem && formatProblem(problem),
    leftovers: leftovers.map((one) => boxView({ id: one.id, ...one.content })),
  };
}
