import assert from 'node:assert/strict';
import { openableLink, secureLink } from '../../../src/shared/openableLink';

describe('links of remote text', () => {
  it('lead to the web and to email', () => {
    assert.equal(openableLink('https://acme.test'), 'https://acme.test/');
    assert.equal(openableLink(' HTTP://Acme.test/a b '), 'http://acme.test/a%20b');
    assert.equal(openableLink('mailto:ada@acme.test'), 'mailto:ada@acme.test');
  });

  for (const link of [
    ...[
      'javascript:alert(1)',
      'java\nscript:alert(1)',
      'command:x',
      'vscode://a.b/c',
      'file:///etc',
    ],
    ...[
      'data:text/html,x',
      'blob:https://a.test/x',
      'ftp://a.test',
      '//a.test',
      'docs/a.md',
      '',
      '#a',
    ],
    ...[
      'https://github.com@evil.test/',
      'https://a:b@evil.test/',
      `https://a.test/${'a'.repeat(2_000)}`,
    ],
  ]) {
    it(`do not lead to ${JSON.stringify(link.slice(0, 40))}`, () => {
      assert.equal(openableLink(link), undefined);
    });
  }

  it('are secure only over an encrypted connection', () => {
    assert.equal(secureLink('https://acme.test/a'), 'https://acme.test/a');
    assert.equal(secureLink('http://acme.test/a'), undefined);
    assert.equal(secureLink('mailto:ada@acme.test'), undefined);
  });
});
