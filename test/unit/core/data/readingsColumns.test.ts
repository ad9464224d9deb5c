import type { JsonObject } from '@bufbuild/protobuf';
import assert from 'node:assert/strict';
import { formatCell, formatFullValue } from '../../../../src/core/data/tables/formatCell';
import { DataColumns, valueAt } from '../../../../src/core/data/tables/dataColumns';
import type { DataValue } from '../../../../src/core/data/tables/dataValue';

const labels = {
  items: (count: number): string => `[${count} items]`,
  bytes: (count: number): string => `[${count} bytes]`,
};

function read(columns: DataColumns, data: JsonObject): Readonly<Record<string, DataValue>> {
  const cells: [string, DataValue][] = [];
  columns.read(data, (column, value) => cells.push([columns.list[column]?.name ?? '', value]));
  return Object.fromEntries(cells);
}

function nested(levels: number): JsonObject {
  let data: JsonObject = { value: 1 };
  for (let level = 0; level < levels; level += 1) data = { deeper: data };
  return data;
}

describe('columns of readings', () => {
  it('are named by the path of keys to a value, in order of first appearance', () => {
    const columns = new DataColumns('data');
    const first = { readings: { temperature: { celsius: 21.5 }, ok: true, note: null } };
    assert.deepEqual(read(columns, first), {
      'data.readings.temperature.celsius': 21.5,
      'data.readings.ok': true,
      'data.readings.note': null,
    });
    assert.deepEqual(read(columns, { readings: { new: 'x', ok: false } }), {
      'data.readings.new': 'x',
      'data.readings.ok': false,
    });
    assert.equal(columns.list.length, 4);
  });

  it('store lists, empty objects, and deeply nested values in one cell', () => {
    const columns = new DataColumns('data');
    const cells = read(columns, { list: [1, { a: 2 }], none: {}, deep: nested(1_000) });
    assert.deepEqual(cells['data.list'], [1, { a: 2 }]);
    assert.deepEqual(cells['data.none'], {});
    const deep = Object.keys(cells).find((name) => name.startsWith('data.deep')) ?? '';
    assert.equal(deep.split('.').length, 17);
    assert.match(formatCell(cells[deep] as DataValue, labels), /^\{"deeper":/);
  });

  it('are distinct for keys that look like paths, and safe for special keys', () => {
    const columns = new DataColumns('data');
    const data = JSON.parse(
      '{"a.b":1,"a":{"b":2,"":3},"__proto__":{"polluted":4},"constructor":5,"x[0]":6,"a\\n":7}',
    ) as JsonObject;
    assert.deepEqual(read(columns, data), {
      'data["a.b"]': 1,
      'data.a.b': 2,
      'data.a[""]': 3,
      'data.__proto__.polluted': 4,
      'data.constructor': 5,
      'data["x[0]"]': 6,
      'data["a\\n"]': 7,
    });
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
    assert.deepEqual(
      columns.list.map(({ path }) => valueAt(data, path)),
      [1, 2, 3, 4, 5, 6, 7],
    );
    assert.equal(valueAt({}, ['constructor']), undefined);
    assert.equal(valueAt({}, ['__proto__', 'polluted']), undefined);
  });

  it('can have a value and nested values', () => {
    const columns = new DataColumns('data');
    read(columns, { a: { b: 1 } });
    assert.deepEqual(read(columns, { a: 2 }), { 'data.a': 2 });
    assert.deepEqual(read(columns, { a: { b: 3 } }), { 'data.a.b': 3 });
    assert.equal(valueAt({ a: { b: 3 } }, ['a']), undefined);
    assert.deepEqual(valueAt({ a: {} }, ['a']), {});
  });

  it('are limited, and return the remaining values', () => {
    const columns = new DataColumns('data', 2);
    const taken: DataValue[] = [];
    const left = columns.read({ a: 1, b: { c: 2, d: 3 }, e: 4 }, (_, value) => taken.push(value));
    assert.deepEqual(taken, [1, 2]);
    assert.deepEqual(Object.fromEntries(left ?? []), { 'data.b.d': 3, 'data.e': 4 });
    assert.equal(
      columns.read({ a: 1 }, () => undefined),
      undefined,
    );
  });
});

describe('values in cells', () => {
  it('show tabs, line breaks, and other control characters as symbols', () => {
    assert.equal(formatCell('a\tb\r\nc\0d\u001b[1m\u007f\u0085', labels), 'a⇥b↵c␀d␛[1m␡\ufffd');
  });

  it('are one short line of harmless text', () => {
    const hostile = '<img src=x>\u202egnp.exe\r\nsecond\nthird\u0007';
    assert.equal(formatCell(hostile, labels), '<img src=x>\ufffdgnp.exe↵second↵third␇');
    assert.equal(formatCell('x'.repeat(10_000), labels).length, 200);
  });

  it('show long lists by their length and short ones completely', () => {
    assert.equal(formatCell([1, 2, 3], labels), '[1,2,3]');
    assert.equal(formatCell(Array<number>(1_000).fill(1), labels), '[1000 items]');
  });

  it('are exact numbers, also large, small, and invalid ones', () => {
    const numbers = [1e308, 5e-324, 0.1 + 0.2, NaN, -Infinity, 2 ** 53];
    assert.deepEqual(
      numbers.map((value) => formatCell(value, labels)),
      ['1e+308', '5e-324', '0.30000000000000004', 'NaN', '-Infinity', '9007199254740992'],
    );
    assert.equal(formatCell('NaN', labels), 'NaN');
  });

  it('are complete on request at any depth', () => {
    assert.equal(formatFullValue('a\nb'), 'a\nb');
    assert.equal(formatFullValue({ a: [1] }), '{\n  "a": [\n    1\n  ]\n}');
    assert.ok(formatFullValue(nested(1_000)).includes('"value": 1'));
    assert.equal(formatFullValue(nested(20_000)), '{…}');
  });
});
