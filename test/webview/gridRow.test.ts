import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { root } from '../../scripts/support/paths';
import type * as gridRow from '../../webview/ui/table/gridRow';
import { startBrowser } from './support/webviewPage';

declare global {
  interface Window {
    gridRows: typeof gridRow;
  }
}

describe('the drawn row of a table', function () {
  this.timeout(60_000);

  it('has what is unfolded below it again after another drawn row had it', async () => {
    const { outputFiles } = await build({
      entryPoints: [`${root}/webview/ui/table/gridRow.ts`],
      ...{ bundle: true, write: false, format: 'iife', globalName: 'gridRows' },
    });
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
      const seen = await page.evaluate(() => {
        const { GridRow } = window.gridRows;
        const [one, other] = [new GridRow(), new GridRow()];
        const unfolded = document.createElement('p');
        unfolded.textContent = 'unfolded';
        const look = {
          ...{ place: 5, row: new Map<string, never>(), columns: [], firstColumn: 0 },
          ...{ version: 1, loading: '' },
          detail: { column: 'c0', element: unfolded, pixels: 100 },
        };
        return [one, other, one].map((row) => {
          row.show(look);
          return row.element.textContent;
        });
      });
      assert.deepEqual(seen, ['unfolded', 'unfolded', 'unfolded']);
    } finally {
      await browser.close();
    }
  });
});
