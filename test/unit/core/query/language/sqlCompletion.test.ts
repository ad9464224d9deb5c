import assert from 'node:assert/strict';
import { complete } from '../../../../../src/core/query/language/queryLanguage';
import { schema, suggested, suggestions, acceptSuggestion } from './support';

describe('completion of SQL', () => {
  it('suggests columns, functions, keywords, and the table', () => {
    const labels = suggestions('sql', 'SELECT |');
    for (const label of ['part_id', 'time_received', 'count', 'date_trunc', 'FROM', 'readings']) {
      assert.ok(labels.includes(label), label);
    }
  });

  it('suggests tables after FROM', () => {
    const text = 'WITH hot AS (SELECT 1) SELECT * FROM |';
    assert.deepEqual(suggestions('sql', text), ['readings', 'hot', 'SELECT']);
  });

  it('suggests the fields within a payload, one level at a time', () => {
    assert.deepEqual(suggestions('sql', 'SELECT data.|'), ['readings', 'position']);
    assert.deepEqual(suggestions('sql', 'SELECT data.readings.place.l|'), ['lat', 'lng']);
    assert.deepEqual(suggestions('sql', 'SELECT r.data.readings.place.|'), ['lat', 'lng']);
    assert.ok(suggestions('sql', 'SELECT r.|').includes('part_id'));
    assert.equal(
      acceptSuggestion('sql', 'SELECT data.readings.wi| FROM readings', 'wind speed'),
      'SELECT data.readings."wind speed" FROM readings',
    );
  });

  it('includes the types of fields', () => {
    const { options } = suggested('sql', 'SELECT data.readings.|');
    const types = options.map(({ label, detail }) => `${label} ${detail ?? ''}`);
    assert.deepEqual(types, [
      'temperature number',
      'wind speed number',
      'place object',
      'tags list',
    ]);
  });

  it('suggests values that a column has', () => {
    assert.deepEqual(suggestions('sql', "SELECT 1 WHERE component_name = '|'"), [
      "motor's",
      'outside',
    ]);
    assert.deepEqual(suggestions('sql', "WHERE method_name NOT IN ('Position', '|"), [
      'Position',
      'Readings',
    ]);
    assert.equal(
      acceptSuggestion('sql', "WHERE r.component_name = 'mo|'", "motor's"),
      "WHERE r.component_name = 'motor''s'",
    );
  });

  it('suggests time units, intervals, and types where they are valid', () => {
    assert.ok(suggestions('sql', "SELECT date_trunc('|").includes('hour'));
    assert.ok(suggestions('sql', 'WHERE now() - INTERVAL 1 |').includes('DAY'));
    assert.ok(suggestions('sql', 'SELECT data.x::|').includes('DOUBLE'));
    assert.ok(suggestions('sql', 'SELECT CAST(data.x AS |').includes('DOUBLE'));
  });

  it('suggests names that the query defines, and its parameters', () => {
    const text = 'SELECT avg(data.x) AS mean FROM readings ORDER BY |';
    assert.ok(suggestions('sql', text).includes('mean'));
    assert.deepEqual(suggestions('sql', 'WHERE a = :part AND b = :p|'), [':part']);
  });

  it('inserts function calls', () => {
    assert.equal(acceptSuggestion('sql', 'SELECT cou|', 'count'), 'SELECT count()');
  });

  it('suggests nothing in comments and numbers, and after strings', () => {
    for (const text of ['SELECT 1 -- a|', '/* a| */', 'SELECT 12|', "SELECT 'a'|"]) {
      assert.deepEqual(suggestions('sql', text), [], text);
    }
  });

  it('opens by itself only after a letter or a dot', () => {
    const at = (text: string): number =>
      complete({ language: 'sql', text }, text.length, schema, { explicit: false }).options.length;
    assert.deepEqual([at('SELECT '), at('')], [0, 0]);
    assert.ok(at('SELECT p') > 0 && at('SELECT data.') > 0);
  });
});
