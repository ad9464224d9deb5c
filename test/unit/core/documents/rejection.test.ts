import assert from 'node:assert/strict';
import { describeField, parseRejection } from '../../../../src/core/documents/rejection';

describe('parseRejection', () => {
  for (const [message, field, reason] of [
    [
      'robot_config_json.components[1].name: "arm" is used twice',
      'components[1].name',
      '"arm" is used twice',
    ],
    [
      'config.fragments[0]: must be a fragment ID or an object with an id',
      'fragments[0]',
      'must be a fragment ID or an object with an id',
    ],
    [
      'data.a["b.c"]: must not be nested more than 30 levels deep',
      'a["b.c"]',
      'must not be nested more than 30 levels deep',
    ],
    ['data["b.c"].d: must be: short', '["b.c"].d', 'must be: short'],
    [
      'robot_config_json: must not be larger than 4 MiB as JSON',
      '',
      'must not be larger than 4 MiB as JSON',
    ],
    ['components[0].name: must be a string', 'components[0].name', 'must be a string'],
    ['config.components: must be a list.', 'components', 'must be a list.'],
    ['name is taken.', '', 'name is taken.'],
    ['quota: no room', '', 'quota: no room'],
    ['The config is not valid.', '', 'The config is not valid.'],
  ] as const) {
    it(`finds the path in "${message}"`, () => {
      assert.deepEqual(parseRejection(message), { field, reason });
    });
  }

  it('reads long messages without a path in linear time', () => {
    for (const part of ['a.', 'a[', 'a b']) {
      const reason = part.repeat(50_000);
      assert.deepEqual(parseRejection(reason), { field: '', reason });
    }
  });
});

describe('describeField', () => {
  const text = '{"components": [{"name": "left"}, {"name": "arm"}, {}], "jobs": [1]}';

  it('names the elements of lists if they have names', () => {
    assert.deepEqual(describeField(text, 'components[1].name'), ['components', 'arm', 'name']);
    assert.deepEqual(describeField(text, 'components[2]'), ['components', '#3']);
    assert.deepEqual(describeField(text, 'jobs[0]["a \\"b\\""]'), ['jobs', '#1', 'a "b"']);
  });

  it('returns the segments of an unresolvable path, and nothing for the document', () => {
    assert.deepEqual(describeField('{oops', 'a[7].b'), ['a', '#8', 'b']);
    assert.deepEqual(describeField(text, ''), []);
  });
});
