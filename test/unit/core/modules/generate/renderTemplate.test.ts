import assert from 'node:assert/strict';
import { protoClosure, renderTemplate } from '../../../../../src/core/modules/generate/moduleFiles';

describe('renderTemplate', () => {
  it('puts values in as they are', () => {
    const values = { name: '$& {{other}} $1', other: '!' };
    assert.equal(
      renderTemplate('a {{name}} b {{name}}', values),
      'a $& {{other}} $1 b $& {{other}} $1',
    );
  });

  it('refuses a place that nothing is for', () => {
    assert.throws(() => renderTemplate('{{nmae}}', { name: '' }), /nmae/);
  });
});

describe('protoClosure', () => {
  it('follows imports, and leaves out what the compiler brings along', () => {
    const texts = new Map([
      ['a.proto', 'import "b.proto";\nimport "google/protobuf/struct.proto";\n'],
      ['b.proto', 'import "a.proto";\n'],
      ['c.proto', ''],
    ]);
    assert.deepEqual([...protoClosure(['a.proto'], texts)], ['a.proto', 'b.proto']);
  });
});
