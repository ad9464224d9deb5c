import assert from 'node:assert/strict';
import { protoClosure, renderTemplate } from '../../../../../src/core/modules/generate/moduleFiles';

describe('renderTemplate', () => {
  it('inserts values verbatim', () => {
    const values = { name: '$& {{other}} $1', other: '!' };
    assert.equal(
      renderTemplate('a {{name}} b {{name}}', values),
      'a $& {{other}} $1 b $& {{other}} $1',
    );
  });

  it('rejects a variable without a value', () => {
    assert.throws(() => renderTemplate('{{nmae}}', { name: '' }), /nmae/);
  });
});

describe('protoClosure', () => {
  it('follows imports, and excludes those that the compiler includes', () => {
    const texts = new Map([
      ['a.proto', 'import "b.proto";\nimport "google/protobuf/struct.proto";\n'],
      ['b.proto', 'import "a.proto";\n'],
      ['c.proto', ''],
    ]);
    assert.deepEqual([...protoClosure(['a.proto'], texts)], ['a.proto', 'b.proto']);
  });
});
