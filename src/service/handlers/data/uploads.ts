import type { ConnectError, ServiceImpl } from '@connectrpc/connect';
import {
  DataType,
  type DataSyncService,
  type FileUploadRequest,
  type StreamingDataCaptureUploadRequest,
} from '../../../gen/viam/app/datasync/v1/data_sync_pb';
import { invalid } from '../../errors';
import { SharedCommits } from '../../store/sharedCommits';
import { storeUpload } from './binaryUpload';
import type { DataDependencies } from './dataAccess';
import { storeReadings } from './tabularUpload';

type UploadOperations = Pick<
  ServiceImpl<typeof DataSyncService>,
  'dataCaptureUpload' | 'fileUpload' | 'streamingDataCaptureUpload'
>;

/** Takes in what machines and people capture (spec part 1, upload operations). */
export function uploadHandlers(dependencies: DataDependencies): UploadOperations {
  const commits = new SharedCommits(dependencies.store);
  return {
    async dataCaptureUpload({ metadata, sensorContents }, context) {
      if (metadata?.type === DataType.TABULAR_SENSOR) {
        return {
          fileId: await storeReadings({ ...dependencies, commits }, metadata, sensorContents),
        };
      }
      if (metadata?.type !== DataType.BINARY_SENSOR) {
        throw invalid('metadata.type: must be DATA_TYPE_BINARY_SENSOR or DATA_TYPE_TABULAR_SENSOR');
      }
      const [content] = sensorContents;
      if (sensorContents.length !== 1 || content?.data.case !== 'binary') {
        throw invalid('sensor_contents: binary data is exactly one content with binary');
      }
      const binaryDataId = await storeUpload(
        dependencies,
        { metadata, sensor: content.metadata },
        only(content.data.value),
        context,
      );
      return { binaryDataId };
    },

    async fileUpload(requests, context) {
      const stream = await UploadStream.begin(requests);
      const { uploadPacket } = stream.first;
      if (uploadPacket.case !== 'metadata') {
        throw noMetadata();
      }
      const content = stream.pieces(({ uploadPacket: packet }) =>
        packet.case === 'fileContents' ? packet.value.data : undefined,
      );
      const description = { metadata: uploadPacket.value };
      return { binaryDataId: await storeUpload(dependencies, description, content, context) };
    },

    async streamingDataCaptureUpload(requests, context) {
      const stream = await UploadStream.begin(requests);
      const { uploadPacket } = stream.first;
      if (uploadPacket.case !== 'metadata' || uploadPacket.value.uploadMetadata === undefined) {
        throw noMetadata();
      }
      const { uploadMetadata: metadata, sensorMetadata: sensor } = uploadPacket.value;
      const content = stream.pieces(({ uploadPacket: packet }) =>
        packet.case === 'data' ? packet.value : undefined,
      );
      const description = { metadata, sensor };
      return { binaryDataId: await storeUpload(dependencies, description, content, context) };
    },
  };
}

/** A stream of a first message and the pieces that follow it. */
class UploadStream<Message extends FileUploadRequest | StreamingDataCaptureUploadRequest> {
  private constructor(
    readonly first: Message,
    private readonly rest: AsyncIterator<Message>,
  ) {}

  /** @throws InvalidArgument when there is no message at all. */
  static async begin<M extends FileUploadRequest | StreamingDataCaptureUploadRequest>(
    requests: AsyncIterable<M>,
  ): Promise<UploadStream<M>> {
    const rest = requests[Symbol.asyncIterator]();
    const first = await rest.next();
    if (first.done === true) {
      throw noMetadata();
    }
    return new UploadStream(first.value, rest);
  }

  /** The bytes of every further message; one without any is no piece of a content. */
  async *pieces(bytesOf: (message: Message) => Uint8Array | undefined): AsyncGenerator<Uint8Array> {
    for (let next = await this.rest.next(); next.done !== true; next = await this.rest.next()) {
      const bytes = bytesOf(next.value);
      if (bytes === undefined) {
        throw noMetadata();
      }
      yield bytes;
    }
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

/** A stream that is not made as the contract says. */
function noMetadata(): ConnectError {
  return invalid('the first message of the stream must hold the metadata, and only the first');
}
