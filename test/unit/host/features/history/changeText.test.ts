import assert from 'node:assert/strict';
import { findJsonChanges } from '../../../../../src/core/documents/jsonChanges';
import type { Revision } from '../../../../../src/core/documents/revisionList';
import type { VersionToken } from '../../../../../src/core/model/versionToken';
import { changeText } from '../../../../../src/host/features/history/changeText';
import { plainWords } from './plainWords';

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

describe('changeText', () => {
  it('tells one change in full, without the list it is in', () => {
    const before = '{"components": [{"name": "left", "attributes": {"rpm": 100}}]}';
    const text = changeText(revision(before, before.replace('100', '200')), plainWords);
    assert.deepEqual(text, {
      summary: 'left › rpm: 100 → 200',
      details: ['components › left › attributes › rpm: 100 → 200'],
    });
  });

  it('counts further changes and lists them', () => {
    const text = changeText(revision('{"a": 1, "b": 2}', '{"a": 2, "c": [1]}'), plainWords);
    assert.equal(text.summary, 'a: 1 → 2 and 2 more');
    assert.deepEqual(text.details, ['a: 1 → 2', '+c: [1]', '-b']);
  });

  it('leaves long values out', () => {
    const long = JSON.stringify('x'.repeat(200));
    assert.equal(changeText(revision('{"a": 1}', `{"a": ${long}}`), plainWords).summary, '~a');
    assert.equal(changeText(revision('{}', `{"a": ${long}}`), plainWords).summary, '+a');
  });

  it('stops after many', () => {
    const after = JSON.stringify(Object.fromEntries(Array.from({ length: 80 }, (_, n) => [n, n])));
    const { summary, details } = changeText(revision('{}', after), plainWords);
    assert.equal(summary, '+0: 0 and 79 more');
    assert.equal(details.length, 51);
    assert.equal(details.at(-1), '30 more');
  });

  it('tells a rename first', () => {
    const text = changeText(revision('{}', '{}', { renamedFrom: 'leg' }), plainWords);
    assert.equal(text.summary, 'leg => arm');
  });

  it('has words for what is no change, unknown, or first', () => {
    assert.equal(changeText(revision('{ }', '{}'), plainWords).summary, 'layout');
    assert.equal(changeText(revision(undefined, '{}'), plainWords).summary, 'unknown');
    const first = revision(undefined, '{}', { madeOn: undefined });
    assert.equal(changeText(first, plainWords).summary, 'first');
  });
});
