import assert from 'node:assert/strict';
import {
  Binary,
  BSONRegExp,
  Decimal128,
  deserialize,
  Double,
  Int32,
  Long,
  ObjectId,
  UUID,
} from 'bson';
import { parsePipeline, stageDocuments } from '../../../../src/core/query/parsedPipeline';
import { QueryError } from '../../../../src/core/query/queryError';

function parseMatchValue(json: string): unknown {
  const text = `[{"$match": {"v": ${json}}}]`;
  const [bytes = new Uint8Array()] = stageDocuments(parsePipeline(text));
  const options = { promoteValues: false, bsonRegExp: true };
  return (deserialize(bytes, options).$match as { v: unknown }).v;
}

describe('the documents of a pipeline', () => {
  it('have all digits of numbers', () => {
    for (const [json, value] of [
      ['1', new Int32(1)],
      ['-2147483648', new Int32(-2_147_483_648)],
      ['2147483648', Long.fromNumber(2_147_483_648)],
      ['9007199254740993', Long.fromString('9007199254740993')],
      ['9223372036854775808', new Double(9_223_372_036_854_775_808)],
      ['1.0', new Double(1)],
      ['1e3', new Double(1000)],
    ] as const) {
      assert.deepEqual(parseMatchValue(json), value, json);
    }
  });

  it('have values without a JSON form', () => {
    for (const [json, value] of [
      ['{"$date": "2026-02-01T10:00:00Z"}', new Date(Date.UTC(2026, 1, 1, 10))],
      ['{"$date": "2026-02-01T10:00:00+02:00"}', new Date(Date.UTC(2026, 1, 1, 8))],
      ['{"$date": "2026-02-01"}', new Date(Date.UTC(2026, 1, 1))],
      ['{"$date": "2026-02-01T10:00:00.5"}', new Date(Date.UTC(2026, 1, 1, 10, 0, 0, 500))],
      ['{"$date": {"$numberLong": "5"}}', new Date(5)],
      ['{"$numberLong": "9007199254740993"}', Long.fromString('9007199254740993')],
      ['{"$numberInt": "5"}', new Int32(5)],
      ['{"$numberDouble": "-Infinity"}', new Double(-Infinity)],
      ['{"$numberDecimal": "0.1"}', Decimal128.fromString('0.1')],
      ['{"$oid": "65a0b1c2d3e4f5a6b7c8d9e0"}', new ObjectId('65a0b1c2d3e4f5a6b7c8d9e0')],
      ['{"$regularExpression": {"pattern": "^a", "options": "i"}}', new BSONRegExp('^a', 'i')],
      ['{"$binary": {"base64": "AQI=", "subType": "00"}}', new Binary(Buffer.from([1, 2]))],
      [
        '{"$uuid": "c8edabc3-f738-4ca3-b68d-ab92a91478a3"}',
        new UUID('c8edabc3-f738-4ca3-b68d-ab92a91478a3'),
      ],
    ] as const) {
      const made = parseMatchValue(json);
      assert.equal(JSON.stringify(made), JSON.stringify(value), json);
      assert.equal(Object.getPrototypeOf(made), Object.getPrototypeOf(value), json);
    }
    assert.deepEqual(parseMatchValue('{"$regex": "^a"}'), { $regex: '^a' });
  });

  it('reject invalid typed values at their position', () => {
    for (const json of [
      '{"$date": "yesterday"}',
      '{"$date": true}',
      '{"$oid": "12"}',
      '{"$numberLong": "1.5"}',
      '{"$numberInt": "x"}',
      '{"$uuid": "x"}',
    ]) {
      assert.throws(
        () => parseMatchValue(json),
        (error) => {
          assert.ok(error instanceof QueryError, String(error));
          const text = `[{"$match": {"v": ${json}}}]`;
          assert.equal(text.slice(error.range?.start, error.range?.end), json);
          return true;
        },
        json,
      );
    }
  });

  it('preserve the order of members, regardless of their names', () => {
    const text = '[{"$sort": {"b": 1, "2": 1, "a": 1, "1": -1, "__proto__": 1, "_bsontype": 1}}]';
    const [bytes = new Uint8Array()] = stageDocuments(parsePipeline(text));
    const written = Buffer.from(bytes).toString('latin1');
    const names = ['b\0', '2\0', 'a\0', '1\0', '__proto__\0', '_bsontype\0'];
    const offsets = names.map((name) => written.indexOf(`\u0010${name}`));
    assert.ok(!offsets.includes(-1), String(offsets));
    assert.deepEqual(
      offsets,
      offsets.toSorted((a, b) => a - b),
    );
  });
});
