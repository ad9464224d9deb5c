import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { findAxeViolations } from './support/axe';
import { type FakeTrainingHost, pageJob, type TrainingPage } from './support/trainingPage';
import { trainingSuite } from './support/trainingSuite';

describe('the facts of a job in a browser', function () {
  this.timeout(120_000);
  const panel = trainingSuite();
  let host: FakeTrainingHost;
  let opened: TrainingPage;

  beforeEach(() => {
    ({ host } = panel);
  });

  /** Returns the line that shows a fact. */
  const fact = (name: string): Locator =>
    opened.page
      .locator('.facts dl > div')
      .filter({ has: opened.page.getByText(name, { exact: true }) });

  it('have no duration without an end time', async () => {
    const state = { state: 'other', status: 'Status 99', endedAt: undefined } as const;
    host.jobs = { organization: 'Acme', jobs: [pageJob({ id: 'odd', ...state })] };
    opened = await panel.open();
    await fact('Job ID').waitFor();
    assert.equal(await fact('Started').count(), 1);
    assert.equal(await fact('Duration').count(), 0);
  });

  it('use the whole width for many labels, and a limited height', async () => {
    const labels = Array.from({ length: 200 }, (_, index) => `label-${String(index)}`).join(', ');
    host.jobs = { organization: 'Acme', jobs: [pageJob({ id: 'many' })] };
    host.details.set('many', {
      facts: [
        { name: 'Task', value: 'Classification', isCode: false },
        { name: 'Labels', value: labels, isCode: false },
      ],
    });
    opened = await panel.open();
    await fact('Labels').waitFor();
    // Each response about the job redraws its facts.
    await opened.webview.waitUntilIdle();
    const [short, long, list] = await Promise.all(
      [fact('Task'), fact('Labels'), opened.page.locator('.facts dl')].map((one) =>
        one.boundingBox(),
      ),
    );
    assert.ok(short && long && list);
    assert.equal(long.width, list.width);
    assert.ok(long.width > short.width);
    assert.ok(long.height < 200, `${String(long.height)} px`);
    await fact('Labels').locator('dd').focus();
    await opened.page.keyboard.press('End');
    await opened.page.waitForFunction(() => {
      const shown = document.querySelector('.facts .long dd');
      return shown !== null && shown.scrollTop > 0;
    });
    assert.deepEqual(await findAxeViolations(opened.page), []);
  });
});
