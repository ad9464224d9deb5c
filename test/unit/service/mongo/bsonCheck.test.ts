import assert from 'node:assert/strict';
import {
  Binary,
  BSONError,
  BSONRegExp,
  Code,
  DBRef,
  Decimal128,
  deserialize,
  type Document,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp,
} from 'bson';
import { checkBson } from '../../../../src/service/mongo/wireMessages';
import { MongoError } from '../../../../src/service/mongo/mongoError';

const EVERY_TYPE: Document = {
  double: 1.5,
  text: 'text',
  document: { a: { b: [] } },
  array: [1, [2, { c: null }]],
  binary: new Binary(Buffer.from('abc')),
  id: new ObjectId(),
  yes: true,
  date: new Date(0),
  nothing: null,
  pattern: new BSONRegExp('a', 'i'),
  code: new Code('1'),
  int: 1,
  timestamp: new Timestamp({ t: 1, i: 2 }),
  long: Long.fromNumber(1),
  low: new MinKey(),
  decimal: Decimal128.fromString('1.5'),
  high: new MaxKey(),
  reference: new DBRef('a', new ObjectId()),
};

function nested(depth: number): Document {
  return depth === 1 ? {} : { a: nested(depth - 1) };
}

describe('checkBson', () => {
  it('accepts a document with every type', () => {
    checkBson(serialize(EVERY_TYPE));
    checkBson(serialize({}));
  });

  it('rejects documents nested more than 100 levels deep', () => {
    checkBson(serialize(nested(100)));
    assert.throws(() => checkBson(serialize(nested(101))), { codeName: 'Overflow' });
  });

  it('accepts or rejects every change of one byte, and every truncation, without another error', () => {
    const bytes = serialize(EVERY_TYPE);
    for (let index = 0; index < bytes.byteLength; index += 1) {
      for (const value of [0, 1, 0x03, 0x0f, 0x7f, 0x80, 0xff]) {
        const changed = Uint8Array.from(bytes);
        changed[index] = value;
        assertCheckedSafely(changed);
      }
      assert.throws(() => checkBson(bytes.subarray(0, index)), { codeName: 'InvalidBSON' });
    }
  });
});

function assertCheckedSafely(bytes: Uint8Array): void {
  try {
    checkBson(bytes);
    deserialize(bytes, { raw: true });
  } catch (error) {
    assert.ok(error instanceof MongoError || BSONError.isBSONError(error), String(error));
  }
}
