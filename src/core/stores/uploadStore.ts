import type { JsonObject } from '@bufbuild/protobuf';
import { withSignal } from '../api/calls';
import type { LoadClients } from '../api/fleetClients';
import { inPieces } from '../data/uploads/inPieces';
import { uploadName } from '../data/uploads/uploadName';
import { type BinaryDataId, binaryDataId, type DatasetId, type PartId } from '../model/ids';
import { timestampOfMicros } from '../model/micros';

/** `DataType` of the contract, whose generated code is loaded with the first call, not before. */
const TYPES = { readings: 2, file: 3 } as const;

/** As much of a file goes into one message. */
const PIECE_BYTES = 64 * 1024;

/** Which resource of which part uploaded data belongs to. Files may leave all but the part empty. */
export interface UploadOrigin {
  readonly partId: PartId;
  readonly componentName: string;
  /** Such as `rdk:component:camera`, or the bare type name. */
  readonly componentType: string;
  readonly method: string;
}

export interface FileUpload {
  readonly origin: UploadOrigin;
  /** A name or a path with `/`, of which the last segment counts. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly datasets: readonly DatasetId[];
  /** Microseconds since 1970. */
  readonly createdAt?: number | undefined;
  readonly modifiedAt?: number | undefined;
  /** The content; it ends early when the upload does. */
  readonly read: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
}

export interface FileUploadOptions {
  /** Breaks the upload off, which leaves nothing behind. */
  readonly signal?: AbortSignal;
  /** Called for each piece on its way, with its bytes. */
  readonly onSent?: (bytes: number) => void;
}

/** A reading that is about to be stored. */
export interface NewReading {
  /** Microseconds since 1970. */
  readonly at: number;
  /** Readings of sensors are under the key `readings`. */
  readonly data: JsonObject;
}

/** Puts data into the fleet, as machines do. Every method throws `FleetError`. */
export class UploadStore {
  constructor(private readonly clients: LoadClients) {}

  /**
   * Uploads a file of any size without ever holding more than a few pieces of it. All of it is there
   * afterwards, or nothing.
   * @returns the id of the new item. @throws what reading the content throws, too.
   */
  async file(upload: FileUpload, options: FileUploadOptions = {}): Promise<BinaryDataId> {
    const { sync } = await this.clients();
    // Nobody takes pieces any more once the call is over, and whoever reads should hear of it.
    const over = new AbortController();
    const signals = options.signal ? [over.signal, options.signal] : [over.signal];
    const reading = AbortSignal.any(signals);
    let failure: unknown;
    async function* packets() {
      yield { uploadPacket: { case: 'metadata' as const, value: metadataOf(upload) } };
      const pieces = inPieces(upload.read(reading), PIECE_BYTES);
      // What is thrown at a `yield` comes from the transport, which knows better why.
      const noted = (error: unknown): never => {
        failure = error;
        throw error;
      };
      try {
        for (;;) {
          const next = await pieces.next().catch(noted);
          if (next.done === true) return;
          options.onSent?.(next.value.length);
          const value = { data: next.value };
          yield { uploadPacket: { case: 'fileContents' as const, value } };
        }
      } finally {
        await pieces.return(undefined);
      }
    }
    try {
      const answer = await sync.fileUpload(packets(), withSignal(options.signal));
      return binaryDataId(answer.binaryDataId);
    } catch (error) {
      // The transport only knows that its input broke off.
      throw options.signal?.aborted ? error : (failure ?? error);
    } finally {
      over.abort();
    }
  }

  /** Stores readings of one resource in one call: all of them or none. */
  async readings(
    { partId, componentName, componentType, method }: UploadOrigin,
    tags: readonly string[],
    readings: readonly NewReading[],
    signal?: AbortSignal,
  ): Promise<void> {
    const { sync } = await this.clients();
    await sync.dataCaptureUpload(
      {
        metadata: {
          ...{ partId, componentName, componentType, methodName: method },
          ...{ type: TYPES.readings, tags: [...tags] },
        },
        sensorContents: readings.map(({ at, data }) => ({
          metadata: {
            timeRequested: timestampOfMicros(at),
            timeReceived: timestampOfMicros(at),
          },
          data: { case: 'struct' as const, value: data },
        })),
      },
      withSignal(signal),
    );
  }
}

function metadataOf({ origin, path, tags, datasets, createdAt, modifiedAt }: FileUpload) {
  return {
    partId: origin.partId,
    componentName: origin.componentName,
    componentType: origin.componentType,
    methodName: origin.method,
    type: TYPES.file,
    ...uploadName(path),
    tags: [...tags],
    datasetIds: [...datasets],
    ...(createdAt !== undefined && { fileCreateTime: timestampOfMicros(createdAt) }),
    ...(modifiedAt !== undefined && { fileModifyTime: timestampOfMicros(modifiedAt) }),
  };
}
