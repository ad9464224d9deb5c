import assert from 'node:assert/strict';
import { FleetError } from '../../src/core/api/errors';
import { waitUntil } from '../support/waitUntil';
import {
  type FakeTrainingHost,
  logLines,
  someJobs,
  someProgress,
  type TrainingPage,
} from './support/trainingPage';
import { trainingSuite } from './support/trainingSuite';
import { drawn } from './support/webviewPage';

describe('the focus in the training panel', function () {
  this.timeout(120_000);
  const panel = trainingSuite();
  let host: FakeTrainingHost;
  let opened: TrainingPage;

  beforeEach(() => {
    ({ host } = panel);
  });

  async function open(selected: string): Promise<void> {
    host.selected = selected;
    opened = await panel.open();
    await opened.button('Copy ID').waitFor();
  }

  /** Waits until the control with the given key has the focus. */
  const isAt = async (key: string): Promise<void> => {
    await opened.page.waitForFunction(
      (focusKey) => document.activeElement?.closest('[data-focus="' + focusKey + '"]'),
      key,
    );
  };
  const titled = (name: string): Promise<void> =>
    opened.page.getByRole('heading', { level: 2, name }).waitFor();

  /** Replaces the host's jobs. */
  function change(jobs: typeof someJobs): void {
    host.jobs = { organization: 'Acme', jobs };
    opened.webview.notify('changed', undefined);
  }

  it('moves to the job after a deleted one', async () => {
    await open('j2');
    await opened.button('Delete…').press('Enter');
    change(someJobs.filter(({ id }) => id !== 'j2'));
    await titled('fruit 1.0.0');
    // The actions are drawn only once the host has reported them.
    await opened.button('View Model').waitFor();
    await isAt('job');
    await opened.list.focus();
    await opened.page.keyboard.press('End');
    await titled('fruit 0.1.0');
    change(someJobs.filter(({ id }) => id !== 'j2' && id !== 'j0'));
    await titled('fruit 1.0.0');
    await isAt('jobs');
  });

  it('moves to the next step when the last job was deleted', async () => {
    host.jobs = { organization: 'Acme', jobs: someJobs.slice(-1) };
    await open('j0');
    await opened.button('Delete…').press('Enter');
    change([]);
    await opened.page.getByText('No trained models yet.').waitFor();
    await isAt('submit first');
  });

  it('stays at the heading of a job across reloads', async () => {
    await open('j5');
    await opened.list.press('Enter');
    await isAt('job');
    const changed = someJobs.map((job) => ({ ...job, dataset: 'Other fruit' }));
    change(changed);
    await opened.page.getByText('Other fruit').first().waitFor();
    await isAt('job');
  });

  it('moves from the list to a job and its chart, and back', async () => {
    host.lines = logLines(3);
    host.progress = someProgress;
    await open('j5');
    await opened.list.press('Enter');
    await isAt('job');
    const chart = opened.page.getByRole('group', { name: 'Loss by epoch' });
    const hasFocus = (): Promise<boolean> =>
      chart.evaluate((element) => element === document.activeElement);
    for (let steps = 0; steps < 20 && !(await hasFocus()); steps += 1) {
      await opened.page.keyboard.press('Tab');
    }
    assert.ok(await hasFocus());
    await opened.page.keyboard.press('Escape');
    await isAt('jobs');
  });

  it('returns to its position after the user worked elsewhere, but not before', async () => {
    await open('j5');
    await opened.button('Cancel Training Job').focus();
    await opened.page.evaluate(() => {
      document.hasFocus = () => false;
    });
    const canceling = { state: 'canceling', status: 'Canceling' } as const;
    change(someJobs.map((job) => (job.id === 'j5' ? { ...job, ...canceling } : job)));
    await opened.button('Cancel Training Job').waitFor({ state: 'detached' });
    assert.equal(await opened.page.evaluate(() => document.activeElement?.localName), 'body');
    await opened.page.evaluate(() => dispatchEvent(new Event('focus')));
    await isAt('job');
  });

  it('moves to the recovery action during an error, and to the list after that', async () => {
    await open('j5');
    await opened.list.focus();
    host.failure = new FleetError('unauthenticated', 'You are signed out.', { action: 'signIn' });
    opened.webview.notify('changed', undefined);
    await isAt('signIn');
    host.failure = undefined;
    opened.webview.notify('changed', undefined);
    await isAt('jobs');
  });

  it('moves to the filter after it was cleared, and to the log at its end', async () => {
    host.lines = logLines(400);
    await open('j5');
    await opened.button('Failed (1)').press('Enter');
    await opened.button('Clear Filter').press('Enter');
    await isAt('filter');
    const log = opened.page.locator('.log-lines');
    await opened.page.getByText('Line 399', { exact: true }).waitFor();
    await log.hover();
    const toEnd = opened.page.locator('[data-focus="log end"]');
    // While the log is still being drawn, it scrolls to its end and undoes earlier scrolling, so
    // scroll repeatedly.
    await waitUntil(async () => {
      await opened.page.mouse.wheel(0, -500);
      return toEnd.isVisible();
    });
    // Wait until scrolling stops. Otherwise, the last turn of the wheel would scroll away from the
    // end again.
    const readScrollTop = (): Promise<number> => log.evaluate((lines) => lines.scrollTop);
    await waitUntil(async () => {
      const before = await readScrollTop();
      await drawn(opened.page);
      return before === (await readScrollTop());
    });
    await toEnd.press('Enter');
    await toEnd.waitFor({ state: 'hidden' });
    await opened.page.waitForFunction(() => document.activeElement?.matches('.log-lines'));
  });
});
