import type { ServiceImpl } from '@connectrpc/connect';
import { DataType, type DataSyncService } from '../../../gen/viam/app/datasync/v1/data_sync_pb';
import { invalid } from '../../errors';
import { SharedCommits } from '../../store/sharedCommits';
import { UploadStream } from '../uploadStream';
import { storeUpload } from './binaryUpload';
import type { DataDependencies } from './dataAccess';
import { storeReadings } from './tabularUpload';

type UploadOperations = Pick<
  ServiceImpl<typeof DataSyncService>,
  'dataCaptureUpload' | 'fileUpload' | 'streamingDataCaptureUpload'
>;

const HEAD = 'the metadata';
const PIECE_BYTES = 256 * 1024;

/** Receives data captured by machines and users (spec part 1, upload operations). */
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
        throw invalid('sensor_contents: binary data must be exactly one content with binary');
      }
      const binaryDataId = await storeUpload(
        dependencies,
        { metadata, sensor: content.metadata },
        toChunks(content.data.value),
        context,
      );
      return { binaryDataId };
    },

    async fileUpload(requests, context) {
      const stream = await UploadStream.begin(requests, HEAD, context);
      const metadata = stream.head(({ uploadPacket: packet }) =>
        packet.case === 'metadata' ? packet.value : undefined,
      );
      const content = stream.readChunks(({ uploadPacket: packet }) =>
        packet.case === 'fileContents' ? packet.value.data : undefined,
      );
      return { binaryDataId: await storeUpload(dependencies, { metadata }, content, context) };
    },

    async streamingDataCaptureUpload(requests, context) {
      const stream = await UploadStream.begin(requests, HEAD, context);
      const description = stream.head(({ uploadPacket: packet }) => {
        const { uploadMetadata: metadata, sensorMetadata: sensor } =
          packet.case === 'metadata' ? packet.value : {};
        return metadata && { metadata, sensor };
      });
      const content = stream.readChunks(({ uploadPacket: packet }) =>
        packet.case === 'data' ? packet.value : undefined,
      );
      return { binaryDataId: await storeUpload(dependencies, description, content, context) };
    },
  };
}

/**
 * Splits large contents into chunks, because hashing them in a single step would block the event
 * loop.
 */
async function* toChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    yield await Promise.resolve(bytes.subarray(start, start + PIECE_BYTES));
  }
}
