import assert from 'node:assert/strict';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { root } from '../../scripts/support/paths';
import type * as gridRow from '../../webview/ui/table/gridRow';
import { openPage, returnPage } from './support/pagePool';
import { sharedBrowser } from './support/sharedBrowser';

declare global {
  interface Window {
    gridRows: typeof gridRow;
  }
}

describe('a rendered table row', function () {
  this.timeout(120_000);
  let script: string;
  let page: Page;

  before(async () => {
    const { outputFiles } = await build({
      entryPoints: [`${root}/webview/ui/table/gridRow.ts`],
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'gridRows',
    });
    script = outputFiles[0]?.text ?? '';
  });

  beforeEach(async () => {
    page = await openPage(await sharedBrowser());
    await page.addScriptTag({ content: script });
  });

  afterEach(() => returnPage(page));

  it('has the cells of its columns in order in each scroll direction', async () => {
    const seen = await page.evaluate(() => {
      const columns = Array.from({ length: 30 }, (_, at) => ({
        id: `c${at}`,
        name: `c${at}`,
        left: at * 10,
        width: 10,
      }));
      const cells = columns.map(({ id }) => [id, { kind: 'text', text: id }] as const);
      const row = new window.gridRows.GridRow();
      const windows = [
        ...[
          [0, 5],
          [2, 7],
          [3, 6],
          [1, 8],
          [20, 24],
          [19, 24],
          [19, 25],
          [12, 18],
          [0, 0],
          [4, 6],
        ],
      ] as const;
      return windows.map(([start, end]) => {
        row.show({
          rowIndex: 5,
          row: new Map(cells),
          version: 1,
          loading: '',
          detail: undefined,
          columns: columns.slice(start, end),
          firstColumn: start,
        });
        const drawn = [...row.element.querySelectorAll<HTMLElement>('.data-cell')];
        const drawnTexts = drawn.map(({ textContent, style, dataset }) =>
          [textContent, style.left, dataset.column].join(' '),
        );
        const expected = columns
          .slice(start, end)
          .map(({ id, left }) => `${id} ${left}px ${id.slice(1)}`);
        return drawnTexts.join() === expected.join() ? '' : `${start}-${end}: ${drawnTexts.join()}`;
      });
    });
    assert.deepEqual(
      seen.filter((mismatch) => mismatch !== ''),
      [],
    );
  });

  it('has its expanded content again after another row used it', async () => {
    const seen = await page.evaluate(() => {
      const { GridRow } = window.gridRows;
      const [one, other] = [new GridRow(), new GridRow()];
      const unfolded = document.createElement('p');
      unfolded.textContent = 'unfolded';
      const state = {
        rowIndex: 5,
        row: new Map<string, never>(),
        columns: [],
        firstColumn: 0,
        version: 1,
        loading: '',
        detail: { column: 'c0', element: unfolded, pixels: 100 },
      };
      return [one, other, one].map((row) => {
        row.show(state);
        return row.element.textContent;
      });
    });
    assert.deepEqual(seen, ['unfolded', 'unfolded', 'unfolded']);
  });
});
