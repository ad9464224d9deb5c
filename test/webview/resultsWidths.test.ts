import assert from 'node:assert/strict';
import { resultsSuite } from './support/resultsSuite';

describe('columns of a query result', function () {
  this.timeout(120_000);
  const results = resultsSuite();
  const id = '3f2c8a4e-9b1d-4c6f-8e7a-5d0b2f9c1e64';

  const useLargeFont = (): Promise<void> =>
    results.opened.page.evaluate(() => {
      const { style } = document.documentElement;
      for (const name of ['', 'editor-']) {
        style.setProperty(`--vscode-${name}font-family`, 'monospace');
        style.setProperty(`--vscode-${name}font-size`, '16px');
      }
    });

  it('show whole numbers, times, and short lists in full with any font width', async () => {
    await results.open();
    const { host, opened } = results;
    await opened.cell('reading 0').waitFor();
    await useLargeFont();
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

  it('show selected UUIDs in full', async () => {
    await results.open();
    const { host, opened } = results;
    await opened.cell('reading 0').waitFor();
    await useLargeFont();
    const sentence = 'Longer text is cut. '.repeat(4).trim();
    host.row = () => ({ part_id: id, note: sentence });
    host.result = 'result 2';
    await opened.show();
    const cell = opened.cell(id).first();
    await cell.waitFor();
    assert.ok(await cell.evaluate((made) => made.scrollWidth <= made.clientWidth));
    const note = opened.cell(sentence).first();
    assert.ok(await note.evaluate((made) => made.scrollWidth > made.clientWidth));
  });

  it('show the start of IDs of whole readings, with the full ID in the tooltip', async () => {
    const { host } = results;
    const ids = { organization_id: 'o', location_id: 'l', robot_id: 'r', part_id: id };
    const component = { component_name: 'c', component_type: 't', method_name: 'm' };
    host.row = () => ({ ...ids, time_received: new Date(0), ...component, data: { a: 1 } });
    await results.open();
    const { opened } = results;
    const cell = opened.cell(id).first();
    await cell.waitFor();
    assert.ok(await cell.evaluate((made) => made.scrollWidth > made.clientWidth));
    await cell.hover();
    const hinted = opened.page.locator(`.data-cell[title^="${id}"]`).first();
    await hinted.waitFor();
    await cell.dblclick();
    await opened.page.locator('.cell-viewer').getByText(id).waitFor();
  });
});
