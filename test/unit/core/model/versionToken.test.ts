import assert from 'node:assert/strict';
import { create } from '@bufbuild/protobuf';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import {
  toVersionToken,
  versionToMilliseconds,
  versionToTimestamp,
} from '../../../../src/core/model/timestamp';

describe('toVersionToken', () => {
  it('preserves what a Date would lose', () => {
    const timestamp = create(TimestampSchema, { seconds: 1_770_000_000n, nanos: 1_002_000 });
    const version = toVersionToken(timestamp);
    assert.equal(version, '1770000000.001002000');
    assert.deepEqual(create(TimestampSchema, versionToTimestamp(version)), timestamp);
    assert.equal(versionToMilliseconds(version), 1_770_000_000_001);
  });
});
