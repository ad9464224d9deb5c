import assert from 'node:assert/strict';
import {
  findPipelineSpan,
  type ParsedPipeline,
  parsePipeline,
} from '../../../../src/core/query/parsedPipeline';
import { QueryError } from '../../../../src/core/query/queryError';

function catchQueryError(text: string): QueryError {
  try {
    parsePipeline(text);
  } catch (error) {
    assert.ok(error instanceof QueryError, String(error));
    return error;
  }
  return assert.fail(`${text} can be read`);
}

describe('the text of a pipeline', () => {
  it('can have comments and trailing commas', () => {
    const text = '/* all */ [ {"$limit": 1}, // one\n {"$skip": 2,}, ]';
    assert.equal(parsePipeline(text).stages.length, 2);
    assert.equal(parsePipeline('[]').stages.length, 0);
  });

  it('is rejected where it is not a pipeline', () => {
    for (const [text, wrong, expected] of [
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
      const { range, message } = catchQueryError(text);
      assert.ok(range, text);
      assert.match(message, expected, text);
      assert.equal(text.slice(range.start, range.end), wrong, message);
    }
    assert.match(catchQueryError(' // nothing').message, /empty/);
    assert.match(catchQueryError('').message, /empty/);
    assert.match(catchQueryError('['.repeat(100_000)).message, /deeply|JSON/);
  });

  it('contains the positions of its values', () => {
    const text = '[{"$limit": 1}, {"$match": {"a": {"$in": [1, {"b": 2}]}}}]';
    const pipeline = parsePipeline(text);
    const at = (from: ParsedPipeline, stage: number, path: readonly string[]) => {
      const span = findPipelineSpan(from, stage, path);
      return span && text.slice(span.start, span.end);
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
