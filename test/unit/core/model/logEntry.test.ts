import assert from 'node:assert/strict';
import { create } from '@bufbuild/protobuf';
import { logEntryFromWire } from '../../../../src/core/model/logEntry';
import { LogEntrySchema } from '../../../../src/gen/viam/common/v1/common_pb';

describe('a log entry from the wire', () => {
  it('has a valid time, even if the machine sends an invalid one', () => {
    for (const seconds of [2n ** 62n, 253_402_300_799n, 0n, -62_135_596_800n, -(2n ** 62n)]) {
      const { micros } = logEntryFromWire(create(LogEntrySchema, { time: { seconds, nanos: 1 } }));
      assert.ok(Number.isSafeInteger(micros), String(seconds));
      assert.doesNotThrow(() => new Date(micros / 1_000).toISOString());
    }
  });

  it('has a kind of level even if the level is the name of a property of `Object.prototype`', () => {
    for (const level of ['constructor', 'toString', '__proto__']) {
      assert.equal(logEntryFromWire(create(LogEntrySchema, { level })).level, 'other', level);
    }
  });
});
