import assert from 'node:assert/strict';
import { parsePipeline } from '../../../../src/core/query/parsedPipeline';
import {
  findPipelineErrorRange,
  findSqlErrorRange,
} from '../../../../src/core/query/toQueryRequest';

describe('positions in service messages', () => {
  it('are lines and columns of SQL', () => {
    const sql = "SELECT '😀', tem\nFROM readings";
    const at = (message: string): string | undefined => {
      const range = findSqlErrorRange(message, sql);
      return range && sql.slice(range.start, range.end);
    };
    assert.equal(at('unknown column (line 1, column 13)'), 'tem');
    assert.equal(at('error at line 2 column 6: no table'), 'readings');
    assert.equal(at('line 2, column 99'), undefined);
    assert.equal(at('line 9, column 1'), undefined);
    assert.equal(at('line 1, column 1 and line 2, column 1'), undefined);
    assert.equal(at('something is wrong'), undefined);
  });

  it('are stages of a pipeline if one has that name', () => {
    const text = '[{"$match": {}}, {"$limit": 1}, {"$match": {}}]';
    const pipeline = parsePipeline(text);
    const at = (message: string): string | undefined => {
      const range = findPipelineErrorRange(message, pipeline);
      return range && text.slice(range.start, range.end);
    };
    assert.equal(at("Unrecognized pipeline stage name: '$limit'"), '"$limit"');
    assert.equal(at('a $match is wrong'), undefined);
    assert.equal(at('$out is not allowed'), undefined);
  });
});
