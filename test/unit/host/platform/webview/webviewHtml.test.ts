import assert from 'node:assert/strict';
import { webviewHtml } from '../../../../../src/host/platform/webview/webviewHtml';

const page = {
  title: 'History: <b>"arm"</b>',
  scriptUri: 'https://file.example/dist/history.js?a=1&b=2',
  styleUri: 'https://file.example/dist/history.css',
  cspSource: 'https://*.example',
};

describe('webviewHtml', () => {
  it('loads only its own script and style sheet', () => {
    const html = webviewHtml(page);
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? '';
    const nonce = /script type="module" nonce="([^"]+)"/.exec(html)?.[1] ?? '';
    assert.ok(nonce.length >= 24);
    assert.equal(
      policy.replaceAll('&#39;', "'"),
      `default-src 'none'; style-src https://*.example 'nonce-${nonce}'; script-src 'nonce-${nonce}'`,
    );
    assert.doesNotMatch(html, /unsafe|<style|\sstyle=|\son\w+=/);
    assert.equal(html.match(/<script/g)?.length, 1);
  });

  it('creates its own nonce for every page', () => {
    assert.notEqual(webviewHtml(page), webviewHtml(page));
  });

  it('contains translations as data that the browser does not run', () => {
    const translations = { History: '</script><b>&amp;', 'Select {0}': '{0} auswählen' };
    const html = webviewHtml({ ...page, translations });
    const json = /<script type="application\/json" id="translations">(.*?)<\/script>/.exec(
      html,
    )?.[1];
    assert.deepEqual(JSON.parse(json ?? ''), translations);
    assert.equal(html.match(/<script/g)?.length, 2);
    assert.ok(!webviewHtml(page).includes('translations'));
  });

  it('writes names as text', () => {
    const html = webviewHtml(page);
    assert.ok(html.includes('<title>History: &lt;b&gt;&quot;arm&quot;&lt;/b&gt;</title>'));
    assert.ok(html.includes('history.js?a=1&amp;b=2'));
  });
});
