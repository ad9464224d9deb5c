import assert from 'node:assert/strict';
import { resultsSuite } from './support/resultsSuite';

describe('columns of a query result', function () {
  this.timeout(120_000);
  const results = resultsSuite();

  it('show whole numbers, times and short lists in full, however wide the font is', async () => {
    await results.open();
    const { host, opened } = results;
    await opened.cell('reading 0').waitFor();
    await opened.page.evaluate(() => {
      const { style } = document.documentElement;
      for (const name of ['', 'editor-']) {
        style.setProperty(`--vscode-${name}font-family`, 'monospace');
        style.setProperty(`--vscode-${name}font-size`, '16px');
      }
    });
    const texts = ['9007199254740991', '2026-11-21T12:00:00.123456Z', '[1.25,2.25]'];
    const time = Object.assign(new Date(0), { toISOString: () => texts[1] });
    host.row = () => ({ whole: 9007199254740991, at: time, list: [1.25, 2.25] });
    host.result = 'result 2';
    await opened.show();
    for (const text of texts) {
      const cell = opened.cell(text).first();
      await cell.waitFor();
      assert.ok(await cell.evaluate((made) => made.scrollWidth <= made.clientWidth), text);
    }
  });
});
