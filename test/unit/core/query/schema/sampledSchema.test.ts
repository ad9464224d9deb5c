import assert from 'node:assert/strict';
import { Decimal128, Long } from 'bson';
import { sampledSchema } from '../../../../../src/core/query/schema/sampledSchema';

const inferFields = (...data: unknown[]): string[] =>
  sampledSchema(data.map((one) => ({ data: one }))).fields.map(
    ({ path, type }) => `${path.join('.')} ${type}`,
  );

describe('the schema of sampled readings', () => {
  it('contains the fields of all payloads, with nested ones after their parent', () => {
    assert.deepEqual(
      inferFields(
        { readings: { t: 1, place: { lat: 2 } } },
        { readings: { on: true }, at: new Date() },
      ),
      [
        ...['readings object', 'readings.t number', 'readings.place object'],
        ...['readings.place.lat number', 'readings.on boolean', 'at time'],
      ],
    );
  });

  it('contains types, also of numbers beyond JavaScript, and of mixed values', () => {
    assert.deepEqual(
      inferFields(
        { a: Long.fromNumber(1), b: Decimal128.fromString('1'), c: null, d: [1], e: 1, f: null },
        { c: 'x', e: 'y' },
      ),
      ['a number', 'b number', 'c text', 'd list', 'e mixed', 'f nothing'],
    );
  });

  it('is bounded if field names are data', () => {
    const entries = Array.from({ length: 5_000 }, (_, n) => [`k${String(n)}`, { deep: n }]);
    assert.equal(inferFields(Object.fromEntries(entries)).length, 2_000);
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level += 1) deep = { deep };
    assert.ok(inferFields(deep).length < 100);
  });

  it('contains sorted names of components, and ignores invalid payloads', () => {
    const { values, fields } = sampledSchema([
      { component_name: 'b', data: 'text' },
      { component_name: 'a', data: null },
      { component_name: '', data: [1] },
      {},
    ]);
    assert.deepEqual(values.get('component_name'), ['a', 'b']);
    assert.deepEqual(fields, []);
  });
});
