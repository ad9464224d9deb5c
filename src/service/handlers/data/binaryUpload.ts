import type { HandlerContext } from '@connectrpc/connect';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { Annotations } from '../../../gen/viam/app/data/v1/data_pb';
import {
  type MimeType,
  type UploadMetadata,
  UploadMetadataSchema,
} from '../../../gen/viam/app/datasync/v1/data_sync_pb';
import { requirePermission } from '../../auth/authorizer';
import { storeContent, type StoredContent } from '../../blobs/storeContent';
import { notFound } from '../../errors';
import {
  componentKind,
  getMimeType,
  INTERNAL_KINDS,
  serializeClassifications,
  serializeMethodParameters,
  toExtension,
} from '../../messages/dataMessages';
import { insertBinaryData } from '../../store/data/binaryData';
import { addTags, insertBoxes, type NewBox } from '../../store/data/binaryMarks';
import { findCapturer } from '../../store/data/dataScope';
import { addMembers, findDatasets } from '../../store/data/datasets';
import { newId } from '../../store/identifiers';
import type { Micros } from '../../store/micros';
import type { StoreAccess } from '../../store/store';
import { getCaller, requireName, requireRules, requireText } from '../handlerSupport';
import { toStoredTime } from '../../messages/wireTimes';
import { boxRow, requireConfidence } from './boundingBoxes';
import type { DataDependencies } from './dataAccess';
import { requireTags } from './tags';

/** Client's description of the item being uploaded. */
export interface UploadDescription {
  metadata: UploadMetadata;
  sensor?: SentSensor | undefined;
}

/** Client's description of the capture, which combines the newer and older formats. */
interface SentSensor {
  timeRequested?: Timestamp | undefined;
  timeReceived?: Timestamp | undefined;
  /** The item's format. Older clients specify it here. */
  mimeType: MimeType;
  annotations?: Annotations | undefined;
}

/**
 * Atomically stores one binary item and returns its ID.
 * @throws NotFound if a part or dataset doesn't exist or isn't readable, PermissionDenied without
 *   the permission to add data to the part, InvalidArgument if the metadata is invalid, and any
 *   error from the content stream.
 */
export async function storeUpload(
  dependencies: DataDependencies,
  description: UploadDescription,
  content: AsyncIterable<Uint8Array>,
  context: HandlerContext,
): Promise<string> {
  const { store } = dependencies;
  const { metadata, sensor } = description;
  requireValid(dependencies, description);
  const times = getCaptureTimes(description);
  const boxes = toBoxRows(sensor?.annotations);
  const { organizationId } = await requirePermission(
    store,
    getCaller(context),
    'write_robot_data_management',
    { type: 'part', id: metadata.partId },
  );
  await requireDatasets(store, metadata.datasetIds, organizationId);

  const id = newId();
  await storeContent(dependencies, content, context.signal, async (transaction, stored) => {
    await insertItem(transaction, id, { ...description, times }, stored, dependencies.now());
    await addTags(transaction, [id], metadata.tags);
    await insertBoxes(transaction, id, boxes);
    for (const datasetId of new Set(metadata.datasetIds)) {
      await addMembers(transaction, datasetId, [id]);
    }
  });
  return id;
}

async function insertItem(
  access: StoreAccess,
  id: string,
  { metadata, sensor, times }: UploadDescription & { times: CaptureTimes },
  blob: StoredContent,
  now: Micros,
): Promise<void> {
  const capturer = await findCapturer(access, metadata.partId);
  if (capturer === undefined) throw notFound('part', metadata.partId);
  const extension = toExtension(metadata.fileExtension, sensor?.mimeType);
  await insertBinaryData(access, {
    ...capturer,
    id,
    component_type: metadata.componentType,
    component_kind: componentKind(metadata.componentType),
    component_name: metadata.componentName,
    method_name: metadata.methodName,
    method_parameters: serializeMethodParameters(metadata.methodParameters),
    mime_type: metadata.mimeType || getMimeType(extension, metadata.fileName),
    file_name: metadata.fileName,
    file_ext: extension,
    file_size: blob.size,
    blob_hash: blob.hash,
    requested_at: times.requested ?? now,
    received_at: times.received ?? now,
    synced_at: now,
    is_internal: INTERNAL_KINDS.includes(componentKind(metadata.componentType)) ? 1 : 0,
    classifications: serializeClassifications(sensor?.annotations),
  });
}

/** Times of a capture. They default to the current time if the client doesn't specify them. */
interface CaptureTimes {
  requested: Micros | undefined;
  received: Micros | undefined;
}

/** Derives missing times from the times that the client sent, such as a file's times. */
function getCaptureTimes({ metadata, sensor }: UploadDescription): CaptureTimes {
  const requested = toStoredTime(sensor?.timeRequested, 'time_requested');
  const received = toStoredTime(sensor?.timeReceived, 'time_received');
  const created = toStoredTime(metadata.fileCreateTime, 'file_create_time');
  const modified = toStoredTime(metadata.fileModifyTime, 'file_modify_time');
  return {
    requested: requested ?? received ?? created ?? modified,
    received: received ?? requested ?? modified ?? created,
  };
}

function requireValid(
  { validator }: DataDependencies,
  { metadata, sensor }: UploadDescription,
): void {
  requireRules(validator, UploadMetadataSchema, metadata);
  // Data that wasn't captured by a component, such as a file, has none of these fields.
  if (metadata.componentType) requireName(metadata.componentType, 'component_type');
  if (metadata.componentName) requireName(metadata.componentName, 'component_name');
  if (metadata.methodName) requireName(metadata.methodName, 'method_name');
  requireText(metadata.fileName, 'file_name');
  requireText(metadata.fileExtension, 'file_extension');
  requireText(metadata.mimeType, 'mime_type');
  requireTags(metadata.tags);
  for (const { label, confidence } of sensor?.annotations?.classifications ?? []) {
    requireText(label, 'annotations.classifications.label');
    requireConfidence(confidence);
  }
}

function toBoxRows(annotations: Annotations | undefined): NewBox[] {
  return (annotations?.bboxes ?? []).map((box) => {
    requireText(box.label, 'annotations.bboxes.label');
    return boxRow(box);
  });
}

async function requireDatasets(
  access: StoreAccess,
  ids: readonly string[],
  organizationId: string,
): Promise<void> {
  const found = await findDatasets(access, ids);
  const absent = ids.find(
    (id) => !found.some((row) => row.id === id && row.organization_id === organizationId),
  );
  if (absent !== undefined) throw notFound('dataset', absent);
}
