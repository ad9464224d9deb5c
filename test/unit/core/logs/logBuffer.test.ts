import assert from 'node:assert/strict';
import { LogBuffer } from '../../../../src/core/logs/logBuffer';
import { logEntryFromWire } from '../../../../src/core/model/logEntry';
import { partId } from '../../../../src/core/model/ids';
import { create } from '@bufbuild/protobuf';
import { LogEntrySchema } from '../../../../src/gen/viam/common/v1/common_pb';

const CHARS = 1_000;

describe('LogBuffer', () => {
  it('stores fewer lines if they are long in any field', () => {
    const buffer = new LogBuffer(1_000, 10 * CHARS);
    for (let index = 0; index < 40; index += 1) {
      const text = 'x'.repeat(CHARS - 100);
      const long = [
        { message: text },
        { loggerName: text },
        { fields: [{ text }] },
        { stack: text },
      ];
      const entry = create(LogEntrySchema, {
        ...long[index % 4],
        time: { seconds: BigInt(index) },
      });
      buffer.add(partId('arm'), [logEntryFromWire(entry)], false);
    }
    assert.deepEqual([buffer.lines, buffer.dropped], [10, 30]);
    assert.equal(buffer.droppedMicros, 29_000_000);
    buffer.clear();
    assert.deepEqual([buffer.lines, buffer.droppedMicros], [0, -Infinity]);
  });
});
