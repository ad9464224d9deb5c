import assert from 'node:assert/strict';
import { oneLine } from '../../../../src/service/mail/mailer';

describe('names in messages', () => {
  it('are one line, regardless of their characters', () => {
    assert.equal(oneLine('  Acme \r\n Bcc: eve@example.com\t'), 'Acme Bcc: eve@example.com');
    assert.equal(oneLine('a\u2028b\u0000c\u0085d'), 'a b c d');
  });

  it('cannot change the text direction of what follows', () => {
    assert.equal(oneLine('Acme\u202egnp.exe'), 'Acme gnp.exe');
  });

  it('are short, and truncated between characters', () => {
    const long = oneLine('😀'.repeat(500));
    assert.equal(Array.from(long).length, 120);
    assert.ok(long.endsWith('😀…'));
    assert.equal(oneLine('Bänke “Süd”'), 'Bänke “Süd”');
  });
});
