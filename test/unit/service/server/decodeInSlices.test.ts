import assert from 'node:assert/strict';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type DataCaptureUploadRequest,
  DataCaptureUploadRequestSchema,
  DataType,
} from '../../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { decodeInSlices, SLICE_BYTES } from '../../../../src/service/server/decodeInSlices';

const SCHEMA = DataCaptureUploadRequestSchema;
const { signal } = new AbortController();

function makeReadings(count: number): DataCaptureUploadRequest {
  return create(SCHEMA, {
    metadata: { partId: 'part', type: DataType.TABULAR_SENSOR },
    sensorContents: Array.from({ length: count }, (_, n) => ({
      metadata: { timeRequested: { seconds: BigInt(n) } },
      data: { case: 'struct' as const, value: { readings: { n, list: [true, null, 'x'] } } },
    })),
  });
}

/** Counts the turns of the event loop while it decodes. */
async function decodeCountingTurns(
  bytes: Uint8Array,
): Promise<{ message: unknown; turns: number }> {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    if (isDone) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  const message = await decodeInSlices(SCHEMA, bytes, signal);
  isDone = true;
  return { message, turns };
}

describe('decodeInSlices', () => {
  it('decodes the same message as at once, with a turn for others after each slice', async () => {
    const bytes = toBinary(SCHEMA, makeReadings(5_000));
    const { message, turns } = await decodeCountingTurns(bytes);
    assert.deepEqual(message, fromBinary(SCHEMA, bytes));
    const slices = Math.floor(bytes.length / SLICE_BYTES);
    assert.ok(slices > 10);
    // A slice is a bit larger than its minimum.
    assert.ok(turns > slices * 0.9, `${turns} turns for ${slices} slices`);
  });

  it('merges a field that occurs in several slices', async () => {
    const part = (partId: string): Uint8Array =>
      toBinary(SCHEMA, create(SCHEMA, { metadata: { partId } }));
    const type = toBinary(SCHEMA, create(SCHEMA, { metadata: { type: DataType.FILE } }));
    const bytes = Buffer.concat([part('x'.repeat(SLICE_BYTES)), type, part('last')]);
    const message = await decodeInSlices(SCHEMA, bytes, signal);
    assert.deepEqual(
      message,
      create(SCHEMA, { metadata: { partId: 'last', type: DataType.FILE } }),
    );
  });

  it('rejects bytes that are malformed or cut', async () => {
    const bytes = toBinary(SCHEMA, makeReadings(5_000));
    await assert.rejects(decodeInSlices(SCHEMA, bytes.subarray(0, -1), signal));
    await assert.rejects(decodeInSlices(SCHEMA, Buffer.alloc(SLICE_BYTES, 0xff), signal));
  });

  it('stops when its signal aborts', async () => {
    const controller = new AbortController();
    const bytes = toBinary(SCHEMA, makeReadings(5_000));
    const decoding = decodeInSlices(SCHEMA, bytes, controller.signal);
    controller.abort();
    await assert.rejects(decoding, { name: 'AbortError' });
  });
});
