import assert from 'node:assert/strict';
import { failureText, flakyLines, flakyText } from '../../../scripts/support/secondTry';

const failing = '  2 passing (1s)\n  1 failing\n\n  1) a journey:\n     Error: no such row\n';

describe('a second try', () => {
  it('quotes what mocha said of the first failure', () => {
    assert.match(failureText(failing), /^\s*1 failing[^]*a journey[^]*no such row$/);
  });

  it('quotes the last lines of a program that exited without counts', () => {
    assert.equal(failureText('Segmentation fault\n'), 'Segmentation fault');
  });

  it('is told in one line that can be found again, above the words of the first', () => {
    const text = flakyText('inviteMember', failing);
    const [headline = '', ...words] = text.split('\n');
    assert.match(headline, /^FLAKY {2}inviteMember: /);
    assert.ok(words.every((line) => line.startsWith('  | ')));
    assert.deepEqual(flakyLines(`before\n\u001b[31m${text}\u001b[39m\nafter\n`), [headline]);
    assert.deepEqual(flakyLines('a FLAKY  thing\n'), []);
  });
});
