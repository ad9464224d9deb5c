import assert from 'node:assert/strict';
import { parse } from 'jsonc-parser';
import { check, complete } from '../../../../../src/core/query/language/queryLanguage';
import type { QueryCompletion } from '../../../../../src/shared/query/editor';
import { sampledSchema } from '../../../../../src/core/query/schema/sampledSchema';
import { fixed, rules, schema, suggested, suggestions, acceptSuggestion } from './support';

const SINCE = '{"$match": {"time_received": {"$gte": {"$date": "2026-01-01T00:00:00Z"}}}}';

function bounded(...stages: string[]): string {
  return `[${[SINCE, ...stages, '{"$limit": 5}'].join(', ')}]`;
}

describe('completion of pipelines', () => {
  it('suggests stages, completely or as a name', () => {
    assert.ok(suggestions('mql', '[|]').includes('$match'));
    assert.equal(acceptSuggestion('mql', '[|]', '$limit'), '[{ "$limit": 1000 }]');
    assert.equal(acceptSuggestion('mql', '[{ | }]', '$limit'), '[{ "$limit": 1000 }]');
    assert.equal(acceptSuggestion('mql', '[{ "$li|" }]', '$limit'), '[{ "$limit": 1000 }]');
    assert.equal(acceptSuggestion('mql', '[{ "$li|', '$limit'), '[{ "$limit": 1000');
    assert.equal(acceptSuggestion('mql', '[{ $li| }]', '$limit'), '[{ "$limit": 1000 }]');
    assert.equal(acceptSuggestion('mql', '[{ "$li|": 5 }]', '$limit'), '[{ "$limit": 5 }]');
  });

  it('suggests nothing for unknown stages, even with the name of a property of `Object.prototype`', () => {
    for (const stage of ['$unknown', 'constructor', 'toString']) {
      assert.deepEqual(suggestions('mql', `[{ "${stage}": { "|" } }]`), [], stage);
    }
  });

  it('writes JSON with every stage', () => {
    for (const { label } of suggested('mql', '[|]').options) {
      const text = acceptSuggestion('mql', '[|]', label);
      assert.doesNotThrow(() => JSON.parse(text), text);
    }
  });

  it('suggests columns, fields and operators of conditions', () => {
    const labels = suggestions('mql', '[{ "$match": { "|" } }]');
    for (const label of ['part_id', 'data.readings.temperature', '$or', '$expr']) {
      assert.ok(labels.includes(label), label);
    }
    const within = suggestions('mql', '[{ "$match": { "part_id": { "|" } } }]');
    assert.ok(within.includes('$gte') && !within.includes('part_id'));
    const inList = suggestions('mql', '[{ "$match": { "$or": [{ "|" }] } }]');
    assert.ok(inList.includes('part_id'));
  });

  it('inserts names of fields as JSON, never as variables of a snippet', () => {
    const name = 'a\\${CLIPBOARD} "b"';
    const known = sampledSchema([{ component_name: 'c', data: { [name]: 1 } }]);
    const read = (text: string): QueryCompletion | undefined =>
      complete({ language: 'mql', text }, text.indexOf('}'), known, {
        explicit: true,
      }).options.find(({ label }) => label.includes('CLIPBOARD'));
    const key = 'data.a\\\\${CLIPBOARD} \\"b\\"';
    const inMatch = read('[{ "$match": { } }]');
    assert.ok(inMatch?.isSnippet);
    const escaped = 'data.a\\\\\\\\\\${CLIPBOARD\\} \\\\"b\\\\"';
    assert.ok(inMatch.insert?.startsWith(`"${escaped}": `), inMatch.insert);
    assert.deepEqual(JSON.parse(`["${key}"]`), [`data.${name}`]);
  });

  it('suggests values that a column has', () => {
    assert.deepEqual(suggestions('mql', '[{ "$match": { "component_name": "|" } }]'), [
      "motor's",
      'outside',
    ]);
    assert.deepEqual(suggestions('mql', '[{ "$match": { "component_name": { "$in": ["|"] } } }]'), [
      "motor's",
      'outside',
    ]);
  });

  it('suggests accumulators for fields of groups, and fields for their values', () => {
    const text = '[{ "$group": { "_id": null, "n": { "|" } } }]';
    assert.ok(suggestions('mql', text).includes('$avg'));
    assert.ok(!suggestions('mql', text).includes('$concat'));
    assert.equal(
      acceptSuggestion('mql', '[{ "$group": { "_id": "$pa|" } }]', '$part_id'),
      '[{ "$group": { "_id": "$part_id" } }]',
    );
    assert.ok(
      suggestions('mql', '[{ "$group": { "n": { "$avg": "$|" } } }]').includes(
        '$data.readings.temperature',
      ),
    );
  });

  it('suggests the named arguments of stages', () => {
    assert.deepEqual(suggestions('mql', '[{ "$sample": { "|" } }]'), ['size']);
    assert.ok(suggestions('mql', '[{ "$sort": { "|" } }]').includes('time_received'));
    assert.deepEqual(suggestions('mql', '[{ "$limit": | }]'), []);
  });

  it('suggests the arguments of time series stages', () => {
    const densify = '[{ "$densify": { "field": "time_received", "range": { "|" } } }]';
    assert.deepEqual(suggestions('mql', densify), ['step', 'unit', 'bounds']);
    const fill = '[{ "$fill": { "output": { "data": { "|" } } } }]';
    assert.deepEqual(suggestions('mql', fill), ['method', 'value']);
    const output = (inner: string): string =>
      `[{ "$setWindowFields": { "sortBy": { "time_received": 1 }, "output": { "a": ${inner} } } }]`;
    assert.ok(suggestions('mql', output('{ "|" }')).includes('$linearFill'));
    assert.deepEqual(suggestions('mql', output('{ "$sum": 1, "window": { "|" } }')), [
      ...['documents', 'range', 'unit'],
    ]);
    const sort = '[{ "$setWindowFields": { "sortBy": { "|" } } }]';
    assert.ok(suggestions('mql', sort).includes('time_received'));
  });

  it('suggests the same in nested pipelines', () => {
    const lookup = (inner: string): string => `[{ "$lookup": { "pipeline": [${inner}] } }]`;
    assert.ok(suggestions('mql', lookup('|')).includes('$match'));
    assert.ok(suggestions('mql', lookup('{ "$match": { "|" } }')).includes('part_id'));
    assert.deepEqual(suggestions('mql', lookup('{ "$sample": { "|" } }')), ['size']);
    const facet = '[{ "$facet": { "a": [{ "$facet": { "b": [{ "$sample": { "|" } }] } }] } }]';
    assert.deepEqual(suggestions('mql', facet), ['size']);
    assert.deepEqual(suggestions('mql', '[{ "$unionWith": { "|" } }]'), ['coll', 'pipeline']);
  });

  it('suggests nothing in comments', () => {
    assert.deepEqual(suggestions('mql', '[ // {"|'), []);
    assert.deepEqual(suggestions('mql', '[ /* | */ ]'), []);
  });

  it('writes operators as JSON', () => {
    for (const { label } of suggested('mql', '[{ "$project": { "a": { | } } }]').options) {
      const text = acceptSuggestion('mql', '[{ "$project": { "a": { | } } }]', label);
      const errors: unknown[] = [];
      parse(text, errors as never[]);
      assert.deepEqual(errors, [], text);
    }
  });
});

describe('lint of pipelines', () => {
  it('finds nothing in valid pipelines', () => {
    for (const text of [
      '',
      '// nothing yet',
      bounded(),
      bounded('{"$project": {"t": "$data.readings.temperature", "_id": 0}}', '{"$sort": {"t": 1}}'),
      `[${SINCE}, {"$group": {"_id": "$part_id", "n": {"$sum": 1}, "t": {"$avg": "$data.readings.temperature"}}}]`,
      `[${SINCE}, {"$sort": {"time_received": 1}}, {"$group": {"_id": {"d": {"$dateTrunc": {"date": "$time_received", "unit": "day"}}}, "l": {"$last": "$data"}}},]`,
      bounded(
        '{"$setWindowFields": {"partitionBy": "$part_id", "sortBy": {"time_received": 1}, "output": {"r": {"$rank": {}}, "a": {"$avg": "$data.readings.temperature", "window": {"range": [-1, "current"], "unit": "hour"}}}}}',
        '{"$densify": {"field": "time_received", "range": {"step": 1, "unit": "minute", "bounds": "full"}}}',
        '{"$fill": {"sortBy": {"time_received": 1}, "output": {"a": {"method": "linear"}}}}',
      ),
      '[{"$match": {"$expr": {"$gte": ["$time_received", {"$dateSubtract": {"startDate": "$$NOW", "unit": "day", "amount": 1}}]}, "part_id": "$5"}}, {"$limit": {{n}} }]',
      bounded('{"$match": {"part_id": {{part}}, "tags": "{{tag}}"}}'),
    ]) {
      assert.deepEqual(rules('mql', text), [], text);
    }
  });

  it('reports text that is not a pipeline at its position', () => {
    for (const [text, rule, at] of [
      ['[{"$limit" 5}]', 'notJson ColonExpected', '5'],
      ['[{"$limit": 5}', 'notJson CloseBracketExpected', '}'],
      ['{"$limit": 5}', 'notPipeline', '{"$limit": 5}'],
      ['[{"$limit": 5, "$skip": 1}]', 'notStage', '{"$limit": 5, "$skip": 1}'],
      ['[5]', 'notStage', '5'],
      ['[{"$mtach": {}}]', 'unknownStage $mtach', '"$mtach"'],
    ] as const) {
      const [diagnostic] = check({ language: 'mql', text }, schema);
      assert.deepEqual(rules('mql', text), [rule]);
      assert.equal(text.slice(diagnostic?.start, diagnostic?.end), at);
    }
    assert.equal(fixed('mql', '{"$limit": 5}', 'notPipeline'), '[{"$limit": 5}]');
    assert.equal(fixed('mql', '[{"$mtach": {}}]', 'unknownStage'), '[{"$match": {}}]');
  });

  it('finds a wide scan without a limit, and limits it', () => {
    const text = `[\n  ${SINCE},\n]`;
    assert.deepEqual(rules('mql', text), ['noLimit']);
    assert.equal(fixed('mql', text, 'noLimit'), `[\n  ${SINCE},\n  { "$limit": 1000 },\n]`);
  });

  it('finds a pipeline without a start time, and adds one', () => {
    for (const text of [
      '[]',
      '[\n  {"$count": "n"}\n]',
      '[{"$match": {"time_received": {"$lt": {"$date": "2026-01-01"}}}}, {"$count": "n"}]',
      '[{"$match": {"$or": [{"part_id": "a"}, {"time_received": {"$gte": 1}}]}}, {"$count": "n"}]',
    ]) {
      assert.ok(rules('mql', text).includes('noLowerTimeBound time_received'), text);
      const fixedText = fixed('mql', text, 'noLowerTimeBound');
      assert.ok(!rules('mql', fixedText).some((rule) => rule.startsWith('noLower')), fixedText);
    }
  });

  it('requires no start time for recent data, which has one', () => {
    assert.deepEqual(rules('mql', '[{"$count": "n"}]', true), []);
    assert.deepEqual(rules('mql', '[]', true), ['noLimit']);
  });

  it('finds groups that the database cannot compute', () => {
    const group = (fields: string, ...before: string[]): string[] =>
      rules('mql', `[${[SINCE, ...before, `{"$group": {${fields}}}`].join(', ')}]`);
    assert.deepEqual(group('"_id": null, "a": {"$push": "$data"}'), ['groupNotPushedDown $push']);
    assert.deepEqual(group('"_id": {"$toUpper": "$part_id"}'), ['groupNotPushedDown $toUpper']);
    assert.deepEqual(group('"_id": "$tags"', '{"$unwind": "$tags"}'), [
      'groupNotPushedDown $unwind',
    ]);
    assert.deepEqual(group('"_id": null, "a": {"$first": "$data"}'), ['groupNotPushedDown $first']);
    const computed = '{"$addFields": {"a": {"$divide": ["$data.position", 2]}}}';
    assert.deepEqual(group('"_id": "$a"', computed), ['groupNotPushedDown $divide']);
  });

  it('finds unknown operators, columns, and fields', () => {
    assert.deepEqual(rules('mql', bounded('{"$match": {"robt_id": {"$grt": 1}}}')), [
      'unknownColumn robt_id',
      'unknownOperator $grt',
    ]);
    assert.deepEqual(rules('mql', bounded('{"$sort": {"data.readings.temprature": 1}}')), [
      'unknownField data.readings.temprature',
    ]);
    const text = bounded('{"$project": {"t": "$data.temperature"}}');
    assert.equal(fixed('mql', text, 'unknownField'), text.replace('data.', 'data.readings.'));
  });

  it('checks nested pipelines too', () => {
    const lookup = (pipeline: string): string =>
      bounded(
        `{"$lookup": {"from": "readings", "let": {"p": "$part_id"}, "as": "x", "pipeline": [${pipeline}]}}`,
      );
    const match = '{"$match": {"$expr": {"$eq": ["$part_id", "$$p"]}}}';
    const facet = (pipeline: string): string => bounded(`{"$facet": {"a": [${pipeline}]}}`);
    for (const text of [
      lookup(match),
      lookup('{"$documents": [{"a": 1}]}, {"$match": {"a": 1}}'),
      facet(`{"$match": {"part_id": "x"}}, {"$count": "n"}`),
      bounded(`{"$unionWith": {"coll": "readings", "pipeline": [${match.replace('$$p', 'x')}]}}`),
      bounded('{"$group": {"_id": "$part_id"}}, {"$facet": {"a": [{"$match": {"n": 1}}]}}'),
    ]) {
      assert.deepEqual(rules('mql', text), [], text);
    }
    assert.deepEqual(rules('mql', lookup('{"$match": {"part": 1}}')), ['unknownColumn part']);
    assert.deepEqual(rules('mql', facet('{"$match": {"part": 1}}')), ['unknownColumn part']);
    assert.deepEqual(rules('mql', facet('{"$project": {"x": {"$nope": 1}}}')), [
      'unknownOperator $nope',
    ]);
  });

  it('ignores fields that an earlier stage added', () => {
    assert.deepEqual(
      rules('mql', bounded('{"$project": {"t": "$data"}}', '{"$sort": {"t.whatever": 1}}')),
      [],
    );
  });

  it('finishes in time for any text', () => {
    for (const part of ['[', '{"a":', '"', '{{', '{{a}}', '[{"$match":', '/*']) {
      rules('mql', part.repeat(3_000));
    }
  }).timeout(120_000);
});
