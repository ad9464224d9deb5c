import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import type {
  FileUploadRequestSchema,
  FileUploadResponse,
} from '../../gen/viam/app/datasync/v1/data_sync_pb';
import { type FleetClients, withSignal } from '../api/fleetClients';
import { streamContent, type UploadOptions } from '../api/streamContent';
import { type BinaryDataId, binaryDataId, type DatasetId, type PartId } from '../model/ids';
import { microsToTimestamp } from '../model/timestamp';

/**
 * Numbers in the API contract's enum `DataType`, whose generated code is loaded only with the first
 * call.
 */
const TYPES = { readings: 2, file: 3 } as const;

/** Maximum number of file bytes in one message. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Source of uploaded data: a part and a resource. For files, all fields except the part can be
 * empty.
 */
export interface UploadOrigin {
  readonly partId: PartId;
  readonly componentName: string;
  /** Component type, such as `rdk:component:camera`, or the type name without its namespace. */
  readonly componentType: string;
  readonly method: string;
}

export interface FileUpload {
  readonly origin: UploadOrigin;
  /** Name, or path with `/`. Only the last segment of a path is used. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly datasets: readonly DatasetId[];
  /** Time of capture in microseconds since 1970. */
  readonly createdAt?: number | undefined;
  readonly modifiedAt?: number | undefined;
  /** Reads the content until the end or until the upload stops. */
  readonly read: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
}

/** Reading to store. */
export interface NewReading {
  /** Time of capture in microseconds since 1970. */
  readonly at: number;
  /** Payload of the reading. Readings from sensors are under the key `readings`. */
  readonly data: JsonObject;
}

/** Uploads data the way machines do. Methods throw `FleetError`. */
export class UploadStore {
  constructor(private readonly clients: FleetClients) {}

  /**
   * Uploads a file of any size while buffering at most a few chunks of it. The file is stored
   * either completely or not at all.
   * @returns the ID of the new item. @throws FleetError, and errors from reading the content.
   */
  async file(upload: FileUpload, options: UploadOptions = {}): Promise<BinaryDataId> {
    const answer = await streamContent<
      MessageInitShape<typeof FileUploadRequestSchema>,
      FileUploadResponse
    >(
      {
        head: { uploadPacket: { case: 'metadata', value: toUploadMetadata(upload) } },
        chunkBytes: CHUNK_BYTES,
        toMessage: (data) => ({ uploadPacket: { case: 'fileContents', value: { data } } }),
        read: upload.read,
        send: (messages) => this.clients.sync.fileUpload(messages, withSignal(options.signal)),
      },
      options,
    );
    return binaryDataId(answer.binaryDataId);
  }

  /** Stores readings from one resource in one call, which stores either all of them or none. */
  async readings(
    { partId, componentName, componentType, method }: UploadOrigin,
    tags: readonly string[],
    readings: readonly NewReading[],
    signal?: AbortSignal,
  ): Promise<void> {
    await this.clients.sync.dataCaptureUpload(
      {
        metadata: {
          partId,
          componentName,
          componentType,
          methodName: method,
          type: TYPES.readings,
          tags: [...tags],
        },
        sensorContents: readings.map(({ at, data }) => ({
          metadata: {
            timeRequested: microsToTimestamp(at),
            timeReceived: microsToTimestamp(at),
          },
          data: { case: 'struct' as const, value: data },
        })),
      },
      withSignal(signal),
    );
  }
}

function toUploadMetadata({ origin, path, tags, datasets, createdAt, modifiedAt }: FileUpload) {
  return {
    partId: origin.partId,
    componentName: origin.componentName,
    componentType: origin.componentType,
    methodName: origin.method,
    type: TYPES.file,
    ...uploadName(path),
    tags: [...tags],
    datasetIds: [...datasets],
    ...(createdAt !== undefined && { fileCreateTime: microsToTimestamp(createdAt) }),
    ...(modifiedAt !== undefined && { fileModifyTime: microsToTimestamp(modifiedAt) }),
  };
}

/** Name of an uploaded file without its last extension, and the extension with its period. */
export interface UploadName {
  readonly fileName: string;
  readonly fileExtension: string;
}

/**
 * Splits a file name the way the service does (FileUploadFromPath in the spec): `my.file.tar.gz`
 * becomes `my.file.tar` and `.gz`. As in the public clients, doesn't split a name without an
 * extension, with only a leading period (`.profile`), or with only a trailing period. Removes the
 * folders.
 */
export function uploadName(path: string): UploadName {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const period = name.lastIndexOf('.');
  const isExtension = period > 0 && period < name.length - 1;
  return isExtension
    ? { fileName: name.slice(0, period), fileExtension: name.slice(period) }
    : { fileName: name, fileExtension: '' };
}
