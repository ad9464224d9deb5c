import assert from 'node:assert/strict';
import { check } from '../../../../../src/core/query/language/queryLanguage';
import { UNSAMPLED_SCHEMA } from '../../../../../src/core/query/schema/querySchema';
import { fixed, rules } from './support';

const BOUND = 'time_received >= now() - INTERVAL 1 DAY';

/** Returns a query with time and row limits, so that it causes no other diagnostics. */
function bounded(select: string, where = 'true'): string {
  return `SELECT ${select} FROM readings WHERE ${BOUND} AND (${where}) LIMIT 10`;
}

describe('lint of SQL', () => {
  it('finds nothing in valid queries', () => {
    for (const text of [
      '',
      '-- nothing yet',
      `SELECT * FROM readings WHERE ${BOUND} LIMIT 10;`,
      `SELECT part_id, avg(data.readings.temperature) AS t FROM readings WHERE ${BOUND} GROUP BY 1 ORDER BY t DESC`,
      `FROM readings SELECT count(*) WHERE time_received BETWEEN '2026-01-01' AND '2026-02-01'`,
      `WITH last AS (SELECT * FROM readings WHERE ${BOUND}) SELECT max(time_received) FROM last`,
      `SELECT r.part_id, r.data.readings."wind speed" w FROM readings r WHERE ${BOUND} ORDER BY w LIMIT 3`,
      `SELECT date_trunc('hour', time_received) h, count(*) n FROM readings WHERE now() - INTERVAL 1 HOUR < time_received GROUP BY ALL`,
      `SELECT extract(hour FROM time_received) FROM readings WHERE ${BOUND} LIMIT 5`,
      `SELECT list_transform(tags, x -> upper(x)) FROM readings WHERE ${BOUND} LIMIT 5`,
      `SELECT CAST(data.readings.temperature AS DOUBLE), time_received::DATE FROM readings WHERE ${BOUND} LIMIT 5`,
      `SELECT lag(part_id) OVER w FROM readings WHERE ${BOUND} WINDOW w AS (PARTITION BY part_id ORDER BY time_received) LIMIT 9`,
      `SELECT a.part_id FROM readings a JOIN (SELECT 1 AS whatever) b ON true WHERE a.${BOUND} AND b.whatever = 1 LIMIT 2`,
      `SELECT {'k': part_id, v: 1} FROM readings WHERE ${BOUND} LIMIT 1`,
      `SELECT * EXCLUDE (data) FROM readings WHERE ${BOUND} USING SAMPLE 10`,
      `SELECT data.readings.tags[1] FROM readings WHERE ${BOUND} AND part_id = :part_id LIMIT 1`,
      `SELECT n FROM (SELECT count(*) AS n FROM readings WHERE ${BOUND})`,
      'DESCRIBE readings',
    ]) {
      assert.deepEqual(rules('sql', text), [], text);
    }
  });

  it('finds a wide scan without a limit, and limits it', () => {
    const text = `SELECT * FROM readings WHERE ${BOUND} -- all of them\n;`;
    assert.deepEqual(rules('sql', text), ['noLimit']);
    assert.equal(
      fixed('sql', text, 'noLimit'),
      `SELECT * FROM readings WHERE ${BOUND} LIMIT 1000 -- all of them\n;`,
    );
    assert.deepEqual(rules('sql', fixed('sql', text, 'noLimit')), []);
  });

  it('finds a wide scan behind names, brackets, and windows', () => {
    for (const text of [
      `WITH a AS (SELECT * FROM readings WHERE ${BOUND}) SELECT * FROM a`,
      `SELECT * FROM (SELECT part_id FROM readings WHERE ${BOUND})`,
      `SELECT sum(1) OVER (ORDER BY time_received) FROM readings WHERE ${BOUND}`,
      `(SELECT part_id FROM readings WHERE ${BOUND})`,
    ]) {
      assert.deepEqual(rules('sql', text), ['noLimit'], text);
    }
  });

  it('finds a query without a start time, and adds one', () => {
    assert.deepEqual(rules('sql', 'SELECT count(*) FROM readings'), [
      'noLowerTimeBound time_received',
    ]);
    for (const [text, mended] of [
      ['SELECT count(*) FROM readings', `SELECT count(*) FROM readings WHERE ${BOUND}`],
      [
        'SELECT count(*)\r\n  FROM readings',
        `SELECT count(*)\r\n  FROM readings\r\n  WHERE ${BOUND}`,
      ],
      [
        "SELECT count(*) FROM readings WHERE robot_id = 'a' OR part_id = 'b' GROUP BY 1",
        `SELECT count(*) FROM readings WHERE ${BOUND} AND (robot_id = 'a' OR part_id = 'b') GROUP BY 1`,
      ],
      [
        'SELECT count(*) FROM readings r, readings s WHERE r.part_id = s.part_id',
        `SELECT count(*) FROM readings r, readings s WHERE r.${BOUND} AND r.part_id = s.part_id`,
      ],
      [
        "SELECT count(*) FROM readings WHERE time_received < '2026-01-01'",
        `SELECT count(*) FROM readings WHERE ${BOUND} AND time_received < '2026-01-01'`,
      ],
    ] as const) {
      assert.equal(fixed('sql', text, 'noLowerTimeBound'), mended);
      assert.deepEqual(rules('sql', mended), [], mended);
    }
  });

  it('finds columns that readings do not have, with the nearest one', () => {
    assert.deepEqual(rules('sql', bounded('part, robt_id')), [
      'unknownColumn part',
      'unknownColumn robt_id',
    ]);
    assert.equal(fixed('sql', bounded('robt_id'), 'unknownColumn'), bounded('robot_id'));
    assert.deepEqual(rules('sql', bounded('r.part_id')), ['unknownColumn r']);
  });

  it('reports keywords that are aliases without AS, and adds it', () => {
    const text = bounded("(data->'readings'->>'n')::double temp, part_id value");
    assert.deepEqual(rules('sql', text), ['aliasNeedsAs temp', 'aliasNeedsAs value']);
    assert.equal(fixed('sql', text, 'aliasNeedsAs'), text.replace('temp', 'AS temp'));
    for (const select of ['count(*) day', "INTERVAL '1' DAY day", 'tags[1] level']) {
      assert.equal(rules('sql', bounded(select)).length, 1, select);
    }
    for (const select of [
      'part_id AS temp, part_id AS value',
      "INTERVAL '1' DAY, INTERVAL (1) HOUR, time_received::timestamp with time zone",
      'part_id::double precision, CASE WHEN true THEN 1 END, part_id "value"',
    ]) {
      assert.deepEqual(rules('sql', bounded(select)), [], select);
    }
  });

  it('treats a word after a type as an alias, and no part of a type as a column', () => {
    const select =
      'time_received::date d, tags::varchar[] w, CAST(tags AS STRUCT(a INT, b TEXT)) s';
    assert.deepEqual(rules('sql', bounded(select)), []);
    assert.deepEqual(rules('sql', bounded('part::date d')), ['unknownColumn part']);
    assert.deepEqual(rules('sql', bounded('part_id::date + robt_id')), ['unknownColumn robt_id']);
  });

  it('reports no unknown names if columns cannot be determined', () => {
    assert.deepEqual(
      rules('sql', `SELECT x, whatever FROM readings, unnest([1]) AS t(x) WHERE ${BOUND} LIMIT 1`),
      [],
    );
  });

  it('finds fields that no sampled payload has', () => {
    assert.deepEqual(rules('sql', bounded('data.readings.temprature')), [
      'unknownField data.readings.temprature',
    ]);
    assert.equal(
      fixed('sql', bounded('data.readings.wind_speed'), 'unknownField'),
      bounded('data.readings."wind speed"'),
    );
    assert.equal(
      fixed('sql', bounded('data.temperature'), 'unknownField'),
      bounded('data.readings.temperature'),
    );
    const found = check({ language: 'sql', text: bounded('data.readings.x') }, UNSAMPLED_SCHEMA);
    assert.deepEqual(found, []);
  });

  it('finds unknown tables', () => {
    const text = 'SELECT * FROM reading';
    assert.deepEqual(rules('sql', text), ['unknownTable reading']);
    assert.equal(fixed('sql', text, 'unknownTable'), 'SELECT * FROM readings');
  });

  it('reports text that is not a query at its position', () => {
    for (const [text, rule, at] of [
      ["SELECT 'abc FROM readings\nWHERE x", "notClosed '", "'abc FROM readings"],
      ['SELECT "abc', 'notClosed "', '"abc'],
      ['SELECT 1 /* no', 'notClosed /*', '/* no'],
      ['SELECT count( FROM readings', 'bracket (', '('],
      ['SELECT 1)', 'bracket )', ')'],
      ['DELETE FROM readings', 'notSelect DELETE', 'DELETE'],
      ['SELECT 1; SELECT 2', 'severalStatements', 'SELECT 2'],
    ] as const) {
      const [diagnostic] = check({ language: 'sql', text }, UNSAMPLED_SCHEMA);
      assert.deepEqual(rules('sql', text), [rule]);
      assert.equal(text.slice(diagnostic?.start, diagnostic?.end), at);
    }
    assert.equal(fixed('sql', 'SELCT 1', 'notSelect'), 'SELECT 1');
  });

  it('checks each of several statements', () => {
    const text = `SELECT * FROM readings WHERE ${BOUND}; ${bounded('robt_id')};`;
    assert.deepEqual(rules('sql', text), ['noLimit', 'severalStatements', 'unknownColumn robt_id']);
  });

  it('finishes in time for any text', () => {
    for (const part of [
      'SELECT a FROM readings UNION ',
      'a, ',
      'SELECT ',
      'lambda a, ',
      '(',
      "'",
      'SELECT ',
      'a.',
      ':a',
      '{{',
      '/*',
      'WITH a AS (',
      ',(a,',
      'x ->',
    ]) {
      rules('sql', part.repeat(3_000));
    }
  }).timeout(120_000);
});
