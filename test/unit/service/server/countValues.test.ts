import assert from 'node:assert/strict';
import { create, type DescMessage, type JsonObject, toBinary } from '@bufbuild/protobuf';
import { type GenMessage } from '@bufbuild/protobuf/codegenv2';
import { StructSchema } from '@bufbuild/protobuf/wkt';
import { atOnce } from '../../../../src/base/slices';
import { DataCaptureUploadRequestSchema } from '../../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { UpdateRobotPartRequestSchema } from '../../../../src/gen/viam/app/v1/machine_pb';
import { countBinaryValues, countJsonValues } from '../../../../src/service/server/messageLimits';

const MANY = 1_000_000;

function countBinary(schema: DescMessage, bytes: Uint8Array, max: number): number {
  return atOnce(countBinaryValues(schema, bytes, max));
}

function countConfig(robotConfig: JsonObject, max = MANY): number {
  const message = create(UpdateRobotPartRequestSchema, { robotConfig });
  const bytes = toBinary(UpdateRobotPartRequestSchema, message);
  return countBinary(UpdateRobotPartRequestSchema, bytes, max);
}

describe('countBinaryValues', () => {
  it('counts values nested in maps, lists, and messages', () => {
    const flat = countConfig({});
    const list = countConfig({ a: [1, 2, 3] });
    const longer = countConfig({ a: [1, 2, 3, 4] });
    // An additional element counts as two values: the field of its list, and the one field of the
    // message in it.
    assert.equal(longer - list, 2);
    assert.ok(list > flat);
    assert.equal(countConfig({ a: { b: [1, 2, 3] } }) > list, true);
  });

  it('does not count the bytes of contents and texts', () => {
    const message = create(DataCaptureUploadRequestSchema, {
      sensorContents: [{ data: { case: 'binary', value: new Uint8Array(100_000).fill(8) } }],
    });
    const bytes = toBinary(DataCaptureUploadRequestSchema, message);
    assert.equal(countBinary(DataCaptureUploadRequestSchema, bytes, MANY), 2);
    assert.equal(countConfig({ a: 'x'.repeat(100_000) }), countConfig({ a: 'x' }));
  });

  it('counts values that the parser converts again when a config arrives in many chunks', () => {
    const one = toBinary(
      UpdateRobotPartRequestSchema,
      create(UpdateRobotPartRequestSchema, { robotConfig: { a: 1 } }),
    );
    const countChunks = (chunks: number): number =>
      countBinary(
        UpdateRobotPartRequestSchema,
        Buffer.concat(Array.from({ length: chunks }, () => one)),
        MANY,
      );
    // One piece counts as an entry, its key, its value, and the number, in addition to the field
    // itself.
    assert.equal(countChunks(1), 5);
    assert.equal(countChunks(2), 5 + 4 + 5);
    assert.ok(countChunks(200) > 50_000);
  });

  it('reads a bounded number of values per step', () => {
    const robotConfig = { a: Array.from({ length: 50_000 }, () => ({ b: [1] })) };
    const message = create(UpdateRobotPartRequestSchema, { robotConfig });
    const bytes = toBinary(UpdateRobotPartRequestSchema, message);
    const steps = countBinaryValues(UpdateRobotPartRequestSchema, bytes, MANY);
    const stepCount = [...steps].length;
    assert.ok(stepCount >= countBinary(UpdateRobotPartRequestSchema, bytes, MANY) / 4_000);
  });

  it('stops at a count', () => {
    assert.equal(countConfig({ a: Array.from({ length: 1_000 }, () => 0) }, 100), 100);
  });

  for (const [name, bytes] of Object.entries({
    'lengths beyond the end': [0x0a, 0xff, 0xff, 0xff, 0x7f, 1],
    'an unterminated varint': Array.from({ length: 1_000 }, () => 0xff),
    'a truncated message': [0x0a],
    zeros: Array.from({ length: 1_000 }, () => 0),
    groups: Array.from({ length: 1_000 }, () => 0x0b),
  })) {
    it(`terminates with ${name}`, () => {
      const schema: GenMessage<never> | typeof StructSchema = StructSchema;
      assert.ok(countBinary(schema, Uint8Array.from(bytes), MANY) <= bytes.length);
    });
  }

  it('terminates with messages nested without limit', () => {
    // Build nested lists, each with the size of the remaining bytes.
    let bytes = Buffer.alloc(0);
    for (let level = 0; level < 2_000; level += 1) {
      const size = Buffer.from([0x80 | (bytes.length & 0x7f), bytes.length >> 7]);
      bytes = Buffer.concat([Buffer.from([level % 2 === 0 ? 0x0a : 0x32]), size, bytes]);
    }
    assert.ok(countBinary(StructSchema, bytes, MANY) < 2_000);
  });
});

describe('countJsonValues', () => {
  const count = (text: string, max = MANY): number =>
    atOnce(countJsonValues(Buffer.from(text), max));

  it('counts elements and members', () => {
    assert.equal(count('1'), 1);
    assert.equal(count('[1,2,3]'), 4);
    assert.equal(count('{"a":{},"b":[]}'), 5);
  });

  it('does not count values in strings', () => {
    assert.equal(count(JSON.stringify('a,b,{[\\",\\')), 1);
    assert.equal(count(`["${'\\\\'.repeat(3)}","{,"]`), 3);
    assert.equal(count('"never ends,,,'), 1);
  });

  it('reads a bounded number of characters per step', () => {
    const text = Buffer.from(`[${'{},'.repeat(500_000)}1]`);
    assert.ok([...countJsonValues(text, MANY)].length >= text.length / 64 / 1024);
  });

  it('stops at a count', () => {
    assert.equal(count(`[${'{},'.repeat(1_000)}1]`, 50), 50);
  });
});
