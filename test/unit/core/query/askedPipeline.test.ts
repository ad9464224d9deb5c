import assert from 'node:assert/strict';
import {
  placeInPipeline,
  type AskedPipeline,
  readAskedPipeline,
} from '../../../../src/core/query/askedPipeline';
import { QueryFault } from '../../../../src/core/query/queryFault';

function faultOf(text: string): QueryFault {
  try {
    readAskedPipeline(text);
  } catch (error) {
    assert.ok(error instanceof QueryFault, String(error));
    return error;
  }
  return assert.fail(`${text} can be read`);
}

describe('the text of a pipeline', () => {
  it('may have comments, and commas at the end', () => {
    const text = '/* all */ [ {"$limit": 1}, // one\n {"$skip": 2,}, ]';
    assert.equal(readAskedPipeline(text).stages.length, 2);
    assert.equal(readAskedPipeline('[]').stages.length, 0);
  });

  it('is refused where it is no pipeline', () => {
    for (const [text, wrong, said] of [
      ['[{"$limit" 1}]', '1', /colon/],
      ['[{"$limit": 1} {"$skip": 1}]', '{', /comma/],
      ['[{"$limit": }]', '}', /value/],
      ['[{$limit: 1}]', '$limit', /JSON/],
      ["[{'$limit': 1}]", "'$limit'", /double quotes/],
      ['[{"$limit": 1}', '}', /\]/],
      ['[{"$limit": 1}] x', 'x', /./],
      ['{"$limit": 1}', '{"$limit": 1}', /list of stages/],
      ['[{"$limit": 1}, 5]', '5', /Stage 2 must be an object/],
      ['[{"$match": {"a": 1, "b": 2, "a": 3}}]', '"a"', /twice/],
    ] as const) {
      const { place, message } = faultOf(text);
      assert.ok(place, text);
      assert.match(message, said, text);
      assert.equal(text.slice(place.start, place.end), wrong, message);
    }
    assert.match(faultOf(' // nothing').message, /empty/);
    assert.match(faultOf('').message, /empty/);
    assert.match(faultOf('['.repeat(100_000)).message, /deeply|JSON/);
  });

  it('knows where things are in it', () => {
    const text = '[{"$limit": 1}, {"$match": {"a": {"$in": [1, {"b": 2}]}}}]';
    const pipeline = readAskedPipeline(text);
    const at = (from: AskedPipeline, stage: number, path: readonly string[]) => {
      const place = placeInPipeline(from, stage, path);
      return place && text.slice(place.start, place.end);
    };
    assert.equal(at(pipeline, 0, []), '{"$limit": 1}');
    assert.equal(at(pipeline, 1, ['$match']), '"$match"');
    assert.equal(at(pipeline, 1, ['$match', 'a', '$in']), '"$in"');
    assert.equal(at(pipeline, 1, ['$match', 'a', '$in', '0']), '1');
    assert.equal(at(pipeline, 1, ['$match', 'a', '$in', '1', 'b']), '"b"');
    assert.equal(at(pipeline, 1, ['$match', 'nothing', 'there']), '"$match"');
    assert.equal(at(pipeline, 2, []), undefined);
  });
});
