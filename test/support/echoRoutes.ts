import { create } from '@bufbuild/protobuf';
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { TailRobotPartLogsResponseSchema } from '../../src/gen/viam/app/v1/log_pb';
import { DataSyncService } from '../../src/gen/viam/app/datasync/v1/data_sync_pb';

/** Part IDs for which `echoRoutes` fails. */
export const FAILING_PART = 'fails';
export const MISSING_PART = 'missing';
/** Part ID for which `echoRoutes` fails with a message that can't be encoded as UTF-8. */
export const MALFORMED_PART = 'malformed';
/** Part ID for which `echoRoutes` responds with more than the buffers of a connection hold. */
export const LARGE_PART = 'large';
const LARGE_RESPONSE_LENGTH = 32_000_000;

/** Internal error text of a failing handler, which callers must not receive. */
export const INNER_SECRET = 'connection string with a password';

/** Handlers of all streaming kinds that echo their requests, to test the code around handlers. */
export function echoRoutes(router: ConnectRouter): void {
  router.service(AppService, {
    getRobotPart({ id }) {
      failFor(id);
      return { configJson: id === LARGE_PART ? 'a'.repeat(LARGE_RESPONSE_LENGTH) : id };
    },
    async *tailRobotPartLogs({ id, filter }, { signal }) {
      yield create(TailRobotPartLogsResponseSchema, { logs: [{ message: 'first' }] });
      failFor(id);
      if (filter === 'follow') {
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve, { once: true });
        });
        signal.throwIfAborted();
      }
      yield create(TailRobotPartLogsResponseSchema, { logs: [{ message: 'last' }] });
    },
  });
  router.service(DataSyncService, {
    dataCaptureUpload({ sensorContents }) {
      const [content] = sensorContents;
      const length = content?.data.case === 'binary' ? content.data.value.byteLength : 0;
      return { binaryDataId: String(length) };
    },
    async fileUpload(requests) {
      let length = 0;
      for await (const { uploadPacket } of requests) {
        length += uploadPacket.case === 'fileContents' ? uploadPacket.value.data.byteLength : 0;
      }
      return { binaryDataId: String(length) };
    },
  });
}

function failFor(id: string): void {
  if (id === FAILING_PART) throw new Error(INNER_SECRET);
  if (id === MALFORMED_PART) throw new ConnectError('not a number: "\uD83D"', Code.InvalidArgument);
  if (id === MISSING_PART) throw new ConnectError('part "missing" does not exist', Code.NotFound);
}
