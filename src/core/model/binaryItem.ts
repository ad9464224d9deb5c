import { isBlank } from './displayText';
import type {
  Annotations,
  BinaryMetadata,
  BoundingBox as WireBox,
} from '../../gen/viam/app/data/v1/data_pb';
import {
  type BinaryDataId,
  binaryDataId,
  type DatasetId,
  datasetId,
  type LocationId,
  locationId,
  type MachineId,
  machineId,
  type OrganizationId,
  organizationId,
  type PartId,
  partId,
} from './ids';
import { timestampToMicros } from './timestamp';

/** Corners as fractions of the image's width and height, from the top left. */
export interface BoxCorners {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

/** Labeled box on an image. */
export interface BoundingBox extends BoxCorners {
  readonly id: string;
  readonly label: string;
  /** Confidence of the model that created the box; absent if a user created it. */
  readonly confidence?: number | undefined;
}

/** Label of a whole image. */
export interface Classification {
  readonly id: string;
  readonly label: string;
  readonly confidence?: number | undefined;
}

/** Source of captured data. All items from the same resource and method share one object. */
export interface CaptureSource {
  readonly organizationId: OrganizationId;
  readonly locationId: LocationId;
  readonly machineId: MachineId;
  readonly machineName: string;
  readonly partId: PartId;
  readonly partName: string;
  readonly componentType: string;
  readonly componentName: string;
  readonly method: string;
}

/** Captured image, point cloud, or file, without its content. */
export interface BinaryItem {
  readonly id: BinaryDataId;
  readonly source: CaptureSource;
  readonly mimeType: string;
  /** Time at which the machine read the sensor, in microseconds since 1970. */
  readonly at: number;
  readonly receivedAt: number | undefined;
  /**
   * Name without its extension; often empty. The uploader chooses the name, which is not a path and
   * must not be used as one.
   */
  readonly fileName: string;
  /** Extension with its period, such as `.jpg`. */
  readonly fileExtension: string;
  readonly sizeBytes: number;
  /** URL of the content for HTTP GET. */
  readonly uri: string;
  readonly tags: readonly string[];
  readonly boxes: readonly BoundingBox[];
  readonly classifications: readonly Classification[];
  readonly datasetIds: readonly DatasetId[];
}

export function binaryItemFromWire(metadata: BinaryMetadata): BinaryItem {
  const { captureMetadata, timeRequested, timeReceived, annotations } = metadata;
  return {
    id: binaryDataId(metadata.binaryDataId),
    source: toSource(captureMetadata),
    mimeType: captureMetadata?.mimeType ?? '',
    at: timeRequested ? timestampToMicros(timeRequested) : 0,
    receivedAt: timeReceived && timestampToMicros(timeReceived),
    fileName: metadata.fileName,
    fileExtension: metadata.fileExt,
    sizeBytes: Number(metadata.fileSizeBytes),
    uri: metadata.uri,
    tags: captureMetadata?.tags ?? [],
    boxes: annotations?.bboxes.map(boxFromWire) ?? [],
    classifications: toClassifications(annotations),
    datasetIds: metadata.datasetIds.map(datasetId),
  };
}

export function toSource(metadata: BinaryMetadata['captureMetadata']): CaptureSource {
  return {
    organizationId: organizationId(metadata?.organizationId ?? ''),
    locationId: locationId(metadata?.locationId ?? ''),
    machineId: machineId(metadata?.robotId ?? ''),
    machineName: metadata?.robotName ?? '',
    partId: partId(metadata?.partId ?? ''),
    partName: metadata?.partName ?? '',
    componentType: metadata?.componentType ?? '',
    componentName: metadata?.componentName ?? '',
    method: metadata?.methodName ?? '',
  };
}

function boxFromWire(box: WireBox): BoundingBox {
  return {
    id: box.id,
    label: box.label,
    xMin: box.xMinNormalized,
    yMin: box.yMinNormalized,
    xMax: box.xMaxNormalized,
    yMax: box.yMaxNormalized,
    confidence: box.confidence,
  };
}

function toClassifications(annotations: Annotations | undefined): readonly Classification[] {
  return (annotations?.classifications ?? []).map(({ id, label, confidence }) => ({
    id,
    label,
    confidence,
  }));
}

/**
 * Category in which binary data is displayed. According to the spec (part 1, file uploads), the
 * file extension determines the category, ignoring case: .jpeg, .jpg, and .png are images, .pcd
 * files are point clouds, and all others are files. The extension also determines the MIME type. If
 * an uploader specified a different MIME type, that type determines the category, because services
 * can filter by it. This keeps counts, listings, and bulk changes consistent.
 */
export type Placement = 'images' | 'pointClouds' | 'files';

/** MIME types in a category, for filters, including names that some uploaders use. */
export const PLACED_MIME_TYPES: Readonly<Record<'images' | 'pointClouds', readonly string[]>> = {
  images: ['image/jpeg', 'image/png', 'image/jpg'],
  pointClouds: ['pointcloud/pcd', 'application/pcd'],
};

/** Returns the category of a MIME type. */
export function getPlacement(mimeType: string): Placement {
  if (PLACED_MIME_TYPES.images.includes(mimeType)) return 'images';
  return PLACED_MIME_TYPES.pointClouds.includes(mimeType) ? 'pointClouds' : 'files';
}

/** Prefix for the tags that mark members of a dataset (spec part 1). */
const DATASET_TAG_PREFIX = 'SVC_DATASET_';

/**
 * Returns true if a tag marks an item as a member of a dataset. Users add this tag by adding the
 * item to the dataset.
 */
export function isDatasetTag(tag: string): boolean {
  return tag.startsWith(DATASET_TAG_PREFIX);
}

/**
 * Returns an item's tags, except tags that mark it as a member of a dataset. These tags don't
 * describe the item's content.
 */
export function getUserTags({ tags }: Pick<BinaryItem, 'tags'>): readonly string[] {
  return tags.filter((tag) => !isDatasetTag(tag));
}

/** Maximum length of a tag that the service accepts. */
const MAX_TAG_LENGTH = 1_000;

export type TagProblem = 'empty' | 'tooLong' | 'unusable' | 'ofDataset';

/**
 * Returns the reason that a tag is invalid; undefined if it is valid. @param tag without
 * surrounding whitespace.
 */
export function tagProblem(tag: string): TagProblem | undefined {
  if (isBlank(tag)) return 'empty';
  if (tag.length > MAX_TAG_LENGTH) return 'tooLong';
  if (tag.includes('\0')) return 'unusable';
  return isDatasetTag(tag) ? 'ofDataset' : undefined;
}
