import assert from 'node:assert/strict';
import { findJsonChanges } from '../../../../../src/core/documents/jsonText';
import type { Revision } from '../../../../../src/core/documents/revisionList';
import type { VersionToken } from '../../../../../src/core/model/timestamp';
import { describeChange } from '../../../../../src/host/features/history/documentHistory';
import { plainMessages } from './plainWords';

const revision = (
  before: string | undefined,
  after: string,
  more: Partial<Revision> = {},
): Revision => ({
  key: 'current',
  madeOn: '1.000000000' as VersionToken,
  editor: undefined,
  name: 'arm',
  text: after,
  changes: before === undefined ? undefined : findJsonChanges(before, after),
  renamedFrom: undefined,
  ...more,
});

describe('describeChange', () => {
  it('describes one change completely, without its list', () => {
    const before = '{"components": [{"name": "left", "attributes": {"rpm": 100}}]}';
    const text = describeChange(revision(before, before.replace('100', '200')), plainMessages);
    assert.deepEqual(text, {
      summary: 'left › rpm: 100 → 200',
      details: ['components › left › attributes › rpm: 100 → 200'],
    });
  });

  it('counts further changes and lists them', () => {
    const text = describeChange(revision('{"a": 1, "b": 2}', '{"a": 2, "c": [1]}'), plainMessages);
    assert.equal(text.summary, 'a: 1 → 2 and 2 more');
    assert.deepEqual(text.details, ['a: 1 → 2', '+c: [1]', '-b']);
  });

  it('omits long values', () => {
    const long = JSON.stringify('x'.repeat(200));
    assert.equal(
      describeChange(revision('{"a": 1}', `{"a": ${long}}`), plainMessages).summary,
      '~a',
    );
    assert.equal(describeChange(revision('{}', `{"a": ${long}}`), plainMessages).summary, '+a');
  });

  it('stops after many', () => {
    const after = JSON.stringify(Object.fromEntries(Array.from({ length: 80 }, (_, n) => [n, n])));
    const { summary, details } = describeChange(revision('{}', after), plainMessages);
    assert.equal(summary, '+0: 0 and 79 more');
    assert.equal(details.length, 51);
    assert.equal(details.at(-1), '30 more');
  });

  it('describes a rename first', () => {
    const text = describeChange(revision('{}', '{}', { renamedFrom: 'leg' }), plainMessages);
    assert.equal(text.summary, 'leg => arm');
  });

  it('describes layout changes, unknown changes, and the first version', () => {
    assert.equal(describeChange(revision('{ }', '{}'), plainMessages).summary, 'layout');
    assert.equal(describeChange(revision(undefined, '{}'), plainMessages).summary, 'unknown');
    const first = revision(undefined, '{}', { madeOn: undefined });
    assert.equal(describeChange(first, plainMessages).summary, 'first');
  });
});
