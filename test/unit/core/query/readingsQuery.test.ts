import assert from 'node:assert/strict';
import { readingsQuery } from '../../../../src/core/query/readingsQuery';

const extractConditions = (text: string): readonly string[] => {
  const [, where = ''] = /WHERE ([\s\S]*)\nORDER/.exec(text) ?? [];
  return where.split('\n  AND ');
};

describe('readingsQuery', () => {
  it('selects the newest readings of a part from the last day', () => {
    assert.equal(
      readingsQuery({ parts: ['p1'] }, ['amr-01 › main']),
      [
        '-- amr-01 › main',
        'SELECT time_received, part_id, component_name, data',
        'FROM readings',
        "WHERE part_id = 'p1'",
        '  AND time_received >= now() - INTERVAL 1 DAY',
        'ORDER BY time_received DESC',
        'LIMIT 1000',
        '',
      ].join('\n'),
    );
  });

  it('escapes any characters in names', () => {
    const text = readingsQuery({ componentName: "o'hare'; DROP" }, ['a\nSELECT 1\u2028x']);
    assert.match(text, /component_name = 'o''hare''; DROP'/);
    assert.equal(text.split('\n')[0], '-- a SELECT 1 x');
  });

  it('selects one of several components', () => {
    const [first] = extractConditions(readingsQuery({ locations: ['a', 'b'] }));
    assert.equal(first, "location_id IN ('a', 'b')");
  });

  it('matches a bare type in every form, and a full one as itself and as bare', () => {
    const [bare] = extractConditions(readingsQuery({ componentType: 'sensor' }));
    assert.equal(bare, "split_part(component_type, ':', -1) = 'sensor'");
    const [full] = extractConditions(readingsQuery({ componentType: 'rdk:component:sensor' }));
    assert.equal(full, "component_type IN ('rdk:component:sensor', 'sensor')");
  });

  it('includes tags', () => {
    const tagged = (kind: 'tagged' | 'untagged'): string | undefined =>
      extractConditions(readingsQuery({ tags: { kind } }))[0];
    assert.equal(tagged('tagged'), 'len(tags) > 0');
    assert.equal(tagged('untagged'), 'len(tags) = 0');
    const [any] = extractConditions(readingsQuery({ tags: { kind: 'anyOf', tags: ['a', "b'"] } }));
    assert.equal(any, "list_has_any(tags, ['a', 'b'''])");
  });

  it('includes times as bounds of receive and capture times', () => {
    const at = Date.UTC(2026, 10, 21, 8);
    assert.deepEqual(extractConditions(readingsQuery({ since: { at }, before: at + 1 })), [
      "time_received >= CAST('2026-11-21T08:00:00.000Z' AS TIMESTAMP)",
      "time_requested >= CAST('2026-11-21T08:00:00.000Z' AS TIMESTAMP)",
      "time_requested < CAST('2026-11-21T08:00:00.001Z' AS TIMESTAMP)",
    ]);
    assert.deepEqual(extractConditions(readingsQuery({ before: at })), [
      "time_requested < CAST('2026-11-21T08:00:00.000Z' AS TIMESTAMP)",
    ]);
  });

  it('uses the largest whole unit', () => {
    const back = (minutesBack: number): string | undefined =>
      extractConditions(readingsQuery({ since: { minutesBack } }))[0];
    assert.equal(back(15), 'time_received >= now() - INTERVAL 15 MINUTE');
    assert.equal(back(120), 'time_received >= now() - INTERVAL 2 HOUR');
    assert.equal(back(7 * 24 * 60), 'time_received >= now() - INTERVAL 7 DAY');
  });
});
