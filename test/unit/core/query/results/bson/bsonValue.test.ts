import {
  Binary,
  BSONRegExp,
  Code,
  Decimal128,
  type Document,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp,
  UUID,
} from 'bson';
import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import {
  formatCell,
  formatJson,
  getCellKind,
} from '../../../../../../src/core/data/tables/formatCell';
import type { DataValue } from '../../../../../../src/core/data/tables/dataValue';
import { BsonJson } from '../../../../../../src/core/query/export/resultRow';
import { documentAt } from '../../../../../../src/core/query/results/bson/bsonValue';

const labels = { items: (count: number) => `[${count}]`, bytes: (count: number) => `<${count}>` };

function toBytes(document: Document): Buffer {
  return Buffer.from(serialize(document));
}

function decoded(value: unknown): DataValue {
  return documentAt(toBytes({ value }), 0).value ?? null;
}

function shown(value: unknown): [string, string] {
  return [getCellKind(decoded(value)), formatCell(decoded(value), labels)];
}

describe('BSON values', () => {
  it('are numbers with all their digits', () => {
    assert.deepEqual(shown(new Double(0.1)), ['number', '0.1']);
    assert.deepEqual(shown(new Int32(-7)), ['number', '-7']);
    assert.deepEqual(shown(Long.MAX_VALUE), ['number', '9223372036854775807']);
    assert.deepEqual(shown(Long.fromNumber(2 ** 53 - 1)), ['number', '9007199254740991']);
    assert.deepEqual(shown(new Double(NaN)), ['number', 'NaN']);
    assert.deepEqual(shown(new Double(-Infinity)), ['number', '-Infinity']);
  });

  it('are decimals in the format of BSON', () => {
    const texts = [
      ...['0', '1', '-1', '1.10', '0.001', '123456789.0123456789', '1E+3', '1E-7', '-0', '0E+3'],
      ...['9.999999999999999999999999999999999E+6144', '1E-6176', 'NaN', 'Infinity', '-Infinity'],
      ...['0.000001', '0.0000001', '1234567890123456789012345678901234'],
    ];
    for (const text of texts) {
      const decimal = Decimal128.fromString(text);
      assert.deepEqual(shown(decimal), ['number', decimal.toString()], text);
    }
  });

  it('are times, including those beyond a Date', () => {
    const noon = new Date('2026-11-21T12:00:00.123Z');
    assert.deepEqual(shown(noon), ['time', '2026-11-21T12:00:00.123Z']);
    const bytes = toBytes({ value: noon });
    bytes.writeBigInt64LE(2n ** 62n, bytes.length - 9);
    assert.equal(documentAt(bytes, 0).value, 2n ** 62n);
  });

  it('are bytes, and IDs in their common formats', () => {
    assert.deepEqual(shown(new Binary(Buffer.from('ab01', 'hex'))), ['binary', '<2> ab01']);
    const uuid = '0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d';
    assert.deepEqual(shown(new UUID(uuid)), ['text', uuid]);
    assert.deepEqual(shown(new ObjectId('64b7f3a0c0ffee0123456789')), [
      ...(['text', '64b7f3a0c0ffee0123456789'] as const),
    ]);
  });

  it('are texts for types that only BSON needs', () => {
    const rare = [new MinKey(), new MaxKey(), new BSONRegExp('a.b', 'i'), new Code('x')];
    assert.deepEqual(rare.map(decoded), ['MinKey', 'MaxKey', '/a.b/i', 'x']);
    assert.equal(decoded(new Code('f', { a: 1 })), 'f');
    assert.equal(decoded(new Timestamp({ t: 5, i: 2 })), 'Timestamp(5, 2)');
  });

  it('are safe for special keys, and limited in depth', () => {
    const row = documentAt(toBytes(JSON.parse('{"__proto__":{"x":1}}') as Document), 0);
    assert.deepEqual(Object.keys(row), ['__proto__']);
    assert.equal(({} as { x?: number }).x, undefined);
    let deep: Document = { end: 1 };
    for (let level = 0; level < 500; level += 1) deep = { deep };
    assert.ok(formatJson(documentAt(toBytes(deep), 0)).includes('{…}'));
  });

  it('are rejected when they are truncated anywhere', () => {
    const whole = toBytes({
      text: 'abc',
      list: [1, { a: true }],
      regex: new BSONRegExp('a', 'i'),
      bytes: new Binary(Buffer.from('abc')),
      code: new Code('f', { a: 1 }),
    });
    for (let at = 4; at < whole.length; at += 1) {
      const broken = Buffer.from(whole);
      for (const byte of [0, 0x7e, 0xff]) {
        broken[at] = byte;
        try {
          documentAt(broken, 0);
        } catch (error) {
          assert.ok(error instanceof RangeError, String(error));
        }
      }
      assert.throws(() => documentAt(whole.subarray(0, at), 0), RangeError);
    }
  });

  it('convert to the same JSON with and without objects', () => {
    const rows: Document[] = [
      { a: 1, b: [], c: {}, d: null, e: [1, 'x', { y: [true] }], f: 'plain' },
      { 'ü"\n': 'quoted " and \\ and \u2028', t: new Date(5), n: NaN, i: [-Infinity, 1e300] },
      {
        long: Long.MAX_VALUE,
        dec: Decimal128.fromString('1.10'),
        no: Decimal128.fromString('NaN'),
      },
      {
        bytes: new Binary(Buffer.from('ab', 'hex')),
        emoji: '🤖',
        lone: '\u0007',
        long2: 'é'.repeat(9),
      },
      { big: 'x'.repeat(400_000) },
    ];
    for (const row of rows) {
      const json = new BsonJson();
      json.row(toBytes(row), 0);
      const text = Buffer.from(json.bytes).toString();
      assert.equal(text, formatJson(documentAt(toBytes(row), 0)));
      JSON.parse(text);
    }
  });
});
