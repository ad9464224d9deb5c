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
import { timestampToMicros } from './micros';

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
