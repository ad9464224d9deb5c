import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../../../../../src/core/query/language/queryLanguage';
import { sampledSchema } from '../../../../../src/core/query/schema/sampledSchema';
import type { DataShape } from '../../../../../src/service/query/queryJob';
import { openQueryProcesses } from '../../../../support/openQueryProcesses';
import { ParquetFolder } from '../../../../support/parquetFolder';
import { queryRows } from '../../../../support/queryRows';

const PAYLOADS = [
  { n: 2, label: 'b', on: true, i: 1, 'wind speed': 3, place: { lat: 47.5, lng: 8 }, list: [1, 2] },
  { n: 10, label: "it's", on: false, i: 2, 'wind speed': 4, place: { lat: 48, lng: 9 }, list: [] },
];
const SHAPE: DataShape = {
  readings: {
    n: 'DOUBLE',
    label: 'VARCHAR',
    on: 'BOOLEAN',
    i: 'DOUBLE',
    'wind speed': 'DOUBLE',
    place: { lat: 'DOUBLE', lng: 'DOUBLE' },
    list: ['DOUBLE'],
  },
};
/**
 * Rules about the amount of data that a query reads, which are ignored because the corpus tests the
 * meaning of names.
 */
const BOUNDS = new Set(['noLimit', 'noLowerTimeBound']);

const corpus = readFileSync(join(import.meta.dirname, 'sqlCorpus.sql'), 'utf8')
  .replaceAll(/^-- .*\n/gm, '')
  .split(/;\n/)
  .map((statement) => statement.trim())
  .filter((statement) => statement !== '');

describe('SQL that DuckDB accepts over readings', function () {
  this.timeout(120_000);

  it('has at least 300 different statements', () => {
    assert.ok(new Set(corpus).size >= 300, String(corpus.length));
    assert.equal(new Set(corpus).size, corpus.length);
  });

  it('has no problems for the linter', () => {
    const schema = sampledSchema(PAYLOADS.map((readings) => ({ data: { readings } })));
    const reported = corpus.flatMap((text) =>
      check({ language: 'sql', text }, schema)
        .filter(({ rule }) => !BOUNDS.has(rule))
        .map(({ rule, subject }) => `${rule} ${subject}: ${text}`),
    );
    assert.deepEqual(reported, []);
  });

  it('runs in the query engine', async function () {
    // The test runs hundreds of queries in sequence; the limit only prevents it from hanging.
    this.timeout(900_000);
    using folder = new ParquetFolder();
    await folder.write(
      PAYLOADS.map((readings, id) => ({ id, second: id * 100, data: { readings } })),
    );
    const runner = await openQueryProcesses();
    const failed: string[] = [];
    for (const sql of corpus) {
      await queryRows(runner.run({ kind: 'sql', sql, readings: folder.readings(SHAPE) })).catch(
        (error: unknown) => failed.push(`${String(error)}: ${sql}`),
      );
    }
    await runner.close();
    assert.deepEqual(failed, []);
  });
});
