import assert from 'node:assert/strict';
import { DuckDBInstance } from '@duckdb/node-api';
import * as conditions from 'mingo/operators/query';
import { fillParameters } from '../../../../../src/core/query/language/parameters';
import {
  ACCUMULATORS,
  CONDITION_JOINS,
  CONDITION_OPERATORS,
  EXPRESSIONS,
  MQL_STAGES,
  WINDOW_OPERATORS,
} from '../../../../../src/core/query/language/mql/mqlOperators';
import {
  ALIASES_AFTER_AS,
  SQL_FUNCTIONS,
} from '../../../../../src/core/query/language/sql/sqlWords';
import { parsePipeline, stageDocuments } from '../../../../../src/core/query/parsedPipeline';
import { READINGS_COLUMNS as KNOWN_COLUMNS } from '../../../../../src/core/query/schema/querySchema';
import { decodeStages } from '../../../../../src/service/query/process/pipeline/decodeStages';
import {
  Expressions,
  findExpressionError,
  isAccumulator,
} from '../../../../../src/service/query/process/pipeline/expressions';
import { planPipeline } from '../../../../../src/service/query/process/pipeline/pushdown/planPipeline';
import { STAGE_NAMES } from '../../../../../src/service/query/process/pipeline/stages/compileStage';
import { isWindowOperator } from '../../../../../src/service/query/process/pipeline/stages/windowFields/windowFunctions';
import { READINGS_COLUMNS } from '../../../../../src/service/query/process/readingsSql';
import type { QueryProcesses } from '../../../../../src/service/query/queryProcesses';
import { openQueryProcesses } from '../../../../support/openQueryProcesses';
import { ParquetFolder } from '../../../../support/parquetFolder';
import { queryRows } from '../../../../support/queryRows';
import { fixed, rules } from './support';

const SHAPE = { readings: { n: 'DOUBLE', label: 'VARCHAR', list: ['DOUBLE'] } } as const;
const SINCE = '{"$match": {"time_received": {"$gte": {"$date": "2020-01-01T00:00:00Z"}}}}';

function names(operators: readonly { readonly name: string }[]): string[] {
  return operators.map(({ name }) => name);
}

describe('suggestions for queries', () => {
  it('are the columns, stages, and operators of the service', () => {
    assert.deepEqual(
      Object.fromEntries(KNOWN_COLUMNS.map(({ name, sqlType }) => [name, sqlType])),
      READINGS_COLUMNS,
    );
    assert.deepEqual(names(MQL_STAGES).toSorted(), [...STAGE_NAMES].toSorted());
    for (const name of names(EXPRESSIONS)) {
      assert.equal(findExpressionError({ [name]: [] }), undefined, name);
    }
    for (const name of names(ACCUMULATORS)) assert.ok(isAccumulator(name), name);
    for (const name of names([...WINDOW_OPERATORS, ...ACCUMULATORS])) {
      assert.ok(isWindowOperator(name), name);
    }
    for (const name of names([...CONDITION_OPERATORS, ...CONDITION_JOINS])) {
      assert.ok(name in conditions || name === '$options', name);
    }
  });

  it('are functions that the query engine has, each once', async () => {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await instance.connect();
    const sql = 'SELECT DISTINCT function_name FROM duckdb_functions()';
    const known = new Set((await connection.runAndReadAll(sql)).getRows().map(([name]) => name));
    connection.closeSync();
    instance.closeSync();
    const suggested = names(SQL_FUNCTIONS);
    // These functions are part of the grammar.
    const written = new Set(['coalesce', 'ifnull', 'if', 'nullif', 'unnest']);
    assert.deepEqual(
      suggested.filter((name) => !known.has(name) && !written.has(name)),
      [],
    );
    assert.equal(new Set(suggested).size, suggested.length);
  });

  it('include the keywords that the query engine accepts as aliases only after AS', async () => {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll(
      `SELECT keyword_name FROM duckdb_keywords()
       WHERE keyword_category IN ('unreserved', 'column_name') ORDER BY 1`,
    );
    const keywords = reader.getRows().map(([name]) => String(name));
    for (const keyword of keywords) {
      const parse = async (item: string): Promise<string> =>
        String(
          (
            await connection.runAndReadAll(`SELECT json_serialize_sql('SELECT ${item}')`)
          ).getRows()[0]?.[0],
        );
      assert.match(await parse(`1 ${keyword}`), /"error":true/, keyword);
      assert.match(await parse(`1 AS ${keyword}`), /"error":false/, keyword);
    }
    connection.closeSync();
    instance.closeSync();
    assert.deepEqual([...ALIASES_AFTER_AS], keywords);
  });

  it('report as obstacles to grouping what the service does not push down', () => {
    for (const [stages, isPushed] of [
      [
        '{"$group": {"_id": "$part_id", "n": {"$sum": 1}, "a": {"$avg": "$data.readings.n"}}}',
        true,
      ],
      ['{"$group": {"_id": null, "n": {"$count": {}}, "m": {"$max": "$data.readings.n"}}}', true],
      ['{"$group": {"_id": {"$dateTrunc": {"date": "$time_received", "unit": "hour"}}}}', true],
      ['{"$group": {"_id": {"h": {"$hour": "$time_received"}, "p": "$part_id"}}}', true],
      ['{"$sort": {"time_received": 1}}, {"$group": {"_id": null, "l": {"$last": "$data"}}}', true],
      [
        '{"$addFields": {"d": {"$multiply": ["$data.readings.n", 2]}}}, {"$group": {"_id": "$d"}}',
        true,
      ],
      ['{"$match": {"part_id": {"$regex": "^a"}}}, {"$group": {"_id": "$part_id"}}', true],
      ['{"$match": {"part_id": {"$regex": "a$"}}}, {"$group": {"_id": "$part_id"}}', false],
      ['{"$match": {"data.readings.list": {"$size": 2}}}, {"$group": {"_id": "$part_id"}}', false],
      ['{"$group": {"_id": null, "l": {"$last": "$data"}}}', false],
      ['{"$group": {"_id": null, "l": {"$push": "$part_id"}}}', false],
      ['{"$group": {"_id": {"$toUpper": "$part_id"}}}', false],
      ['{"$unwind": "$tags"}, {"$group": {"_id": "$tags"}}', false],
      [
        '{"$project": {"d": {"$divide": ["$data.readings.n", 2]}}}, {"$group": {"_id": "$d"}}',
        false,
      ],
    ] as const) {
      const text = `[${SINCE}, ${stages}]`;
      const decoded = decodeStages(stageDocuments(parsePipeline(text)));
      const { stages: left } = planPipeline(decoded, { shape: SHAPE }, new Expressions());
      assert.equal(left.length === 0, isPushed, `the plan of ${text}`);
      const found = rules('mql', text).filter((rule) => rule.startsWith('groupNotPushedDown'));
      assert.equal(found.length === 0, isPushed, text);
    }
  });
});

describe('the queries of quick fixes and parameters', function () {
  this.timeout(120_000);
  let folder: ParquetFolder;
  let runner: QueryProcesses;

  before(async () => {
    folder = new ParquetFolder();
    runner = await openQueryProcesses();
    await folder.write([{ id: 1, second: 0, data: { readings: { n: 3, label: "it's" } } }]);
  });

  after(async () => {
    await runner.close();
    folder[Symbol.dispose]();
  });

  const runSql = (sql: string): Promise<unknown[]> =>
    queryRows(runner.run({ kind: 'sql', sql, readings: folder.readings(SHAPE) }));
  const runMql = (text: string): Promise<unknown[]> => {
    const stages = stageDocuments(parsePipeline(text));
    return queryRows(runner.run({ kind: 'pipeline', stages, readings: folder.readings(SHAPE) }));
  };

  it('run', async () => {
    for (const text of [
      'SELECT * FROM readings;',
      "SELECT part_id FROM readings WHERE robot_id = 'a' OR part_id = 'b' OFFSET 0",
      'SELECT r.part_id FROM readings r, readings s',
    ]) {
      const bounded = fixed('sql', text, 'noLowerTimeBound');
      await runSql(fixed('sql', bounded, 'noLimit'));
    }
    const bounded = fixed('mql', '[{"$sort": {"part_id": 1}},]', 'noLowerTimeBound');
    await runMql(fixed('mql', bounded, 'noLimit'));
  });

  it('accept a value of the expected type', async () => {
    const fill = (text: string, values: Record<string, string>): Promise<unknown[]> =>
      runSql(fillParameters('sql', text, values).text);
    const count = 'SELECT data.readings.n AS n FROM readings WHERE';
    assert.deepEqual(
      await fill(`${count} n = :n AND data.readings.label = :l`, { n: '3', l: "it's" }),
      [{ n: 3 }],
    );
    assert.deepEqual(await fill(`${count} n > :n`, { n: '3.5' }), []);
    assert.deepEqual(
      await fill(`${count} time_received < :t LIMIT :m`, { t: '2100-01-01', m: '1' }),
      [{ n: 3 }],
    );
    assert.deepEqual(
      await fill(`${count} time_received < now() - INTERVAL :d DAY AND n IN (:a, :b)`, {
        d: '1',
        a: '2',
        b: '3',
      }),
      [{ n: 3 }],
    );
    const filled = fillParameters(
      'mql',
      '[{"$match": {"data.readings.n": {{n}}}}, {"$limit": "{{m}}"}, {"$count": "c"}]',
      { n: '3', m: '2' },
    );
    assert.deepEqual(await runMql(filled.text), [{ c: 1 }]);
  });
});
