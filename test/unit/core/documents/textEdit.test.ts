import assert from 'node:assert/strict';
import { findTextEdit } from '../../../../src/core/documents/textEdit';

function apply(old: string, updated: string): string {
  const edit = findTextEdit(old, updated);
  if (!edit) return old;
  return old.slice(0, edit.start) + edit.text + old.slice(edit.end);
}

describe('findTextEdit', () => {
  it('changes only what differs', () => {
    assert.deepEqual(findTextEdit('{"a": 1, "b": 2}', '{"a": 10, "b": 2}'), {
      start: 7,
      end: 7,
      text: '0',
    });
    assert.equal(findTextEdit('same', 'same'), undefined);
  });

  it('turns any text into any other text', () => {
    const texts = [
      '',
      'a',
      'aa',
      'aaa',
      'ab',
      'ba',
      'a\r\nb',
      'a\n\r\nb',
      '\r\n',
      '\r',
      '😀😁',
      '😁',
    ];
    for (const old of texts) {
      for (const updated of texts) assert.equal(apply(old, updated), updated);
    }
  });

  it('splits neither line breaks nor characters', () => {
    assert.deepEqual(findTextEdit('x😀y', 'x😁y'), { start: 1, end: 3, text: '😁' });
    assert.deepEqual(findTextEdit('a\r\nb', 'a\n\nb'), { start: 1, end: 3, text: '\n\n' });
  });
});
