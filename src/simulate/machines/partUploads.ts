import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type CallOptions, type Client, createClient, type Transport } from '@connectrpc/connect';
import {
  DataSyncService,
  DataType,
  type FileUploadRequestSchema,
  type SensorMetadataSchema,
  type StreamingDataCaptureUploadRequestSchema,
  type UploadMetadataSchema,
} from '../../gen/viam/app/datasync/v1/data_sync_pb';
import { type OpenTransport, signedInTransport } from '../fleet/fleetMachines';

/** Size of the chunks into which machines split large content. */
const CHUNK_BYTES = 64 * 1024;

/** The component and method that captured data. */
export interface CaptureSource {
  componentType: string;
  componentName: string;
  methodName: string;
}

/** A reading and the time at which the machine requested it. */
export interface CapturedReading {
  at: Date;
  /** Time that the component took to respond, in milliseconds. */
  latencyMs: number;
  payload: JsonObject;
}

/** A binary item and its capture time. */
export interface CapturedContent {
  at: Date;
  bytes: Uint8Array;
  /** File extension, including the period. */
  fileExtension: string;
  mimeType: string;
}

/**
 * Uploads data from a machine's part. It authenticates with the part's secret, like the machine's
 * software.
 */
export class PartUploads {
  private constructor(
    private readonly sync: Client<typeof DataSyncService>,
    private readonly partId: string,
  ) {}

  /** @throws ConnectError if the secret doesn't belong to the part. */
  static async signIn(
    open: OpenTransport,
    part: { id: string; secret: string },
  ): Promise<PartUploads> {
    const credentials = { type: 'robot-secret', entity: part.id, payload: part.secret } as const;
    return PartUploads.over(await signedInTransport(open, credentials), part.id);
  }

  /** @param transport transport that is authenticated as the part. */
  static over(transport: Transport, partId: string): PartUploads {
    return new PartUploads(createClient(DataSyncService, transport), partId);
  }

  /** Uploads readings from one method in one call, which stores either all readings or none. */
  async readings(
    source: CaptureSource,
    readings: readonly CapturedReading[],
    tags: readonly string[],
    options?: CallOptions,
  ): Promise<void> {
    await this.sync.dataCaptureUpload(
      {
        metadata: this.metadata(source, tags, { type: DataType.TABULAR_SENSOR }),
        sensorContents: readings.map(({ at, latencyMs, payload }) => ({
          metadata: toCaptureTimes(at, latencyMs),
          data: { case: 'struct', value: payload },
        })),
      },
      options,
    );
  }

  /** Uploads a binary item in one message and returns its ID. */
  async content(
    source: CaptureSource,
    content: CapturedContent,
    tags: readonly string[],
    options?: CallOptions,
  ): Promise<string> {
    const { binaryDataId } = await this.sync.dataCaptureUpload(
      {
        metadata: this.binaryMetadata(source, content, tags),
        sensorContents: [
          { metadata: toCaptureTimes(content.at), data: { case: 'binary', value: content.bytes } },
        ],
      },
      options,
    );
    return binaryDataId;
  }

  /** Uploads a binary item in chunks and returns its ID. */
  async stream(
    source: CaptureSource,
    content: CapturedContent,
    tags: readonly string[],
    options?: CallOptions,
  ): Promise<string> {
    const uploadMetadata = this.binaryMetadata(source, content, tags);
    const sensorMetadata = toCaptureTimes(content.at);
    const { binaryDataId } = await this.sync.streamingDataCaptureUpload(
      inTurn<MessageInitShape<typeof StreamingDataCaptureUploadRequestSchema>>(
        { uploadPacket: { case: 'metadata', value: { uploadMetadata, sensorMetadata } } },
        content.bytes,
        (value) => ({ uploadPacket: { case: 'data', value } }),
      ),
      options,
    );
    return binaryDataId;
  }

  /**
   * Uploads a file whose name has no extension, like a file that is uploaded from a folder on the
   * machine.
   */
  async file(
    source: CaptureSource,
    fileName: string,
    content: CapturedContent,
    tags: readonly string[],
    options?: CallOptions,
  ): Promise<string> {
    const { fileExtension, mimeType } = content;
    const time = timestampFromDate(content.at);
    const metadata = this.metadata(source, tags, {
      type: DataType.FILE,
      fileName,
      fileExtension,
      mimeType,
      fileCreateTime: time,
      fileModifyTime: time,
    });
    const { binaryDataId } = await this.sync.fileUpload(
      inTurn<MessageInitShape<typeof FileUploadRequestSchema>>(
        { uploadPacket: { case: 'metadata', value: metadata } },
        content.bytes,
        (data) => ({
          uploadPacket: { case: 'fileContents', value: { data } },
        }),
      ),
      options,
    );
    return binaryDataId;
  }

  private binaryMetadata(
    source: CaptureSource,
    { fileExtension, mimeType }: CapturedContent,
    tags: readonly string[],
  ): MessageInitShape<typeof UploadMetadataSchema> {
    const type = DataType.BINARY_SENSOR;
    return this.metadata(source, tags, { type, fileExtension, mimeType });
  }

  private metadata(
    { componentType, componentName, methodName }: CaptureSource,
    tags: readonly string[],
    more: MessageInitShape<typeof UploadMetadataSchema>,
  ): MessageInitShape<typeof UploadMetadataSchema> {
    const { partId } = this;
    return { ...more, partId, componentType, componentName, methodName, tags: [...tags] };
  }
}

function toCaptureTimes(at: Date, latencyMs = 0): MessageInitShape<typeof SensorMetadataSchema> {
  return {
    timeRequested: timestampFromDate(at),
    timeReceived: timestampFromDate(new Date(at.getTime() + latencyMs)),
  };
}

/**
 * Yields the messages in a stream: first the initial message, then one message per chunk, which is
 * created after the previous message is sent.
 */
async function* inTurn<Message>(
  first: Message,
  bytes: Uint8Array,
  toMessage: (chunk: Uint8Array) => Message,
): AsyncGenerator<Message> {
  yield await Promise.resolve(first);
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    yield toMessage(bytes.subarray(start, start + CHUNK_BYTES));
  }
}
