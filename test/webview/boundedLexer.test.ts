import assert from 'node:assert/strict';
import { Parser } from 'marked';
import { BoundedLexer } from '../../webview/registryItem/markdown/boundedLexer';

const toHtml = (markdown: string): string => Parser.parse(new BoundedLexer().lex(markdown));
const count = (html: string, tag: string): number => html.split(`<${tag}>`).length - 1;

describe('bounded Markdown parsing', () => {
  it('parses ordinary text', () => {
    assert.equal(
      toHtml('# A *b*\n\n- c\n  - `d`\n\n> e'),
      '<h1>A <em>b</em></h1>\n<ul>\n<li>c<ul>\n<li><code>d</code></li>\n</ul>\n</li>\n</ul>\n<blockquote>\n<p>e</p>\n</blockquote>\n',
    );
  });

  it('does not parse paragraphs that need quadratic time', () => {
    assert.equal(count(toHtml('*a* '.repeat(1_000)), 'em'), 1_000);
    const long = toHtml(`${'*a* '.repeat(1_001)}<b>\n\n*c*`);
    assert.equal(count(long, 'em'), 1);
    assert.match(long, /\*a\* &lt;b&gt;<\/p>\n<p><em>c<\/em><\/p>\n$/);
  });

  it('does not parse text that is nested too deeply', () => {
    const quotes = toHtml(`${'> '.repeat(50_000)}a`);
    assert.equal(count(quotes, 'blockquote'), 20);
    assert.match(quotes, /&gt; a<\/p>/);
    const lists = Array.from({ length: 400 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n');
    assert.ok(count(toHtml(lists), 'ul') <= 20);
    assert.equal(count(toHtml('> a\n\nb\n\n'.repeat(100)), 'blockquote'), 100);
  });
});
