import assert from 'node:assert/strict';
import { FleetError } from '../../src/core/api/errors';
import { waitUntil } from '../support/waitUntil';
import { resultsSuite } from './support/resultsSuite';

describe('CellViewer', function () {
  this.timeout(120_000);
  const results = resultsSuite();

  it('preserves the title of its text when another text cannot be read', async () => {
    await results.open({});
    await results.opened.cell('reading 0').waitFor();
    const { page } = results.opened;
    await results.opened.grid.focus();
    await results.opened.press('End', 'Enter');
    await page.locator('.viewer-text:focus').waitFor();
    results.host.failures.set('resultText', new FleetError('unavailable', 'No room.'));
    await results.opened.button('Whole Row').click();
    await page.getByText("Couldn't read the result. No room.").waitFor();
    assert.equal(await page.locator('.viewer-title').innerText(), 'data.readings.note in row 1');
    assert.equal(await page.locator('.viewer-text').innerText(), 'reading 0');
  });

  it('reports no error for a text that is no longer shown', async () => {
    await results.open({});
    await results.opened.cell('reading 0').waitFor();
    const { page } = results.opened;
    const failing = Promise.withResolvers<unknown>();
    const reads: Promise<unknown>[] = [failing.promise];
    let count = 0;
    results.host.beforeText = () => reads[count++] ?? Promise.resolve();
    await results.opened.grid.focus();
    await results.opened.press('End', 'Enter');
    await waitUntil(() => count === 1);
    await results.opened.press('Home', 'Enter');
    await page.locator('.viewer-text:focus').waitFor();
    failing.reject(new FleetError('unavailable', 'No room.'));
    // The response to this request arrives after the earlier request has failed.
    await results.opened.button('Whole Row').click();
    await page.getByRole('heading', { name: 'Row 1' }).waitFor();
    assert.equal(await page.getByText('No room.').count(), 0);
  });
});
