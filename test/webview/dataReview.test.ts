import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import type { Proposals, ReviewDecisions } from '../../src/shared/data/proposals';
import { encodeImage } from '../../src/simulate/images/encodeImage';
import { hallScene } from '../../src/simulate/images/hallScene';
import { Random } from '../../src/simulate/random';
import { waitUntil } from '../support/waitUntil';
import { findAxeViolations } from './support/axe';
import { DataPage } from './support/dataPage';
import { FakeDataHost, noon } from './support/fakeDataHost';
import { sharedBrowser } from './support/sharedBrowser';
import { type ThemeKind, themeKinds } from './support/themes';
import { type AppFiles, bundleApp } from './support/webviewPage';

const box = { xMin: 0.1, yMin: 0.1, xMax: 0.6, yMax: 0.6 };

/** A box whose last change the host couldn't save. */
const failedBox = {
  ...box,
  state: 'failed' as const,
  deleted: false,
  problem: 'The service does not answer.',
  leftovers: [],
};

const sampleProposals: Proposals = {
  run: 'run 1',
  model: 'pallets 2.0.0',
  task: 'objectDetection',
  images: [
    {
      id: 'images-0',
      name: 'dock.jpg',
      sizeBytes: 1_000,
      proposals: [
        { id: 0, label: 'pallet', confidence: 0.9, box },
        { id: 1, label: '<i>box</i>', confidence: 0.6, box: { ...box, xMin: 0.4 } },
        { id: 2, label: 'pallet', confidence: 0.2, box: { ...box, yMin: 0.4 } },
      ],
    },
    {
      id: 'images-1',
      name: 'gate.jpg',
      sizeBytes: 1_000,
      proposals: [{ id: 0, label: 'pallet', confidence: 0.55, box }],
    },
  ],
};

describe('the review of proposed labels in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let files: AppFiles;
  let host: FakeDataHost;
  let opened: DataPage;

  const { canvas } = hallScene(new Random('hall'), new Date(noon), 320, 240);
  const picture = new Uint8Array(encodeImage(canvas, 'jpeg'));
  const press = (keys: string): Promise<void> => opened.page.keyboard.press(keys);
  const review = (): Locator => opened.page.getByRole('region', { name: 'Labels proposed by' });
  const rows = (): Promise<readonly string[]> =>
    review().locator('.review-label').allTextContents();
  const counts = (text: string): Promise<void> => review().getByText(text).waitFor();

  before(async () => {
    [browser, files] = await Promise.all([sharedBrowser(), bundleApp('data')]);
  });

  beforeEach(() => {
    host = new FakeDataHost();
    const content = (): Promise<{ bytes: ArrayBuffer }> =>
      Promise.resolve({ bytes: picture.slice().buffer });
    host.answers = { thumbnail: content, content };
  });

  afterEach(async () => {
    const { pageErrors: complaints } = opened.webview;
    await opened.close();
    assert.deepEqual(complaints, []);
  });

  async function openPage(theme?: ThemeKind): Promise<void> {
    opened = await DataPage.open(browser, { host, files, ...(theme && { theme }) });
  }

  async function openReview(theme?: ThemeKind): Promise<void> {
    await openPage(theme);
    await opened.page.locator('#item-0:visible').waitFor();
    opened.webview.notify('proposed', sampleProposals);
    await review().waitFor();
  }

  it('starts with the selected images, and ignores other items', async () => {
    host.counts = { images: 3, pointClouds: 2, files: 0, readings: 0 };
    await openPage();
    await opened.page.locator('#item-1:visible').click();
    await press('p');
    const actions = (): readonly string[] =>
      (host.getSent('act') as readonly { action: string }[]).map(({ action }) => action);
    await waitUntil(() => actions().length === 1);
    assert.deepEqual(actions(), ['proposeLabels']);
    await opened.tab('pointClouds').click();
    await opened.page.locator('#item-0:visible').click();
    await opened.button('Add Tags…').waitFor();
    assert.equal(await opened.button('Propose Labels…').count(), 0);
    await press('p');
    await press('t');
    await waitUntil(() => actions().length > 1);
    assert.deepEqual(actions(), ['proposeLabels', 'addTags']);
  });

  it('shows proposals above a confidence, which keys can change', async () => {
    await openReview();
    assert.deepEqual(await rows(), ['pallet: 90%', '<i>box</i>: 60%', 'pallet: 55%']);
    await counts('Proposals: 3, accepted: 0, rejected: 0');
    const slider = review().getByRole('slider', { name: 'Confidence' });
    await slider.focus();
    for (let step = 0; step < 6; step += 1) await press('ArrowRight');
    assert.deepEqual(await rows(), ['pallet: 90%', '<i>box</i>: 60%']);
    await press('Home');
    assert.equal((await rows()).length, 4);
    await review().getByText('5%', { exact: true }).waitFor();
    await press('End');
    await review().getByText('No proposals have at least this confidence').waitFor();
  });

  it('returns the focus to its previous position after a dialog', async () => {
    await openReview();
    const second = review().getByRole('button', { name: 'Accept <i>box</i>: 60% on dock.jpg' });
    await press('ArrowDown');
    await second.and(opened.page.locator(':focus')).waitFor();
    await second.blur();
    await opened.page.evaluate(() => dispatchEvent(new FocusEvent('focus')));
    await second.and(opened.page.locator(':focus')).waitFor();
    await press('a');
    await counts('Proposals: 3, accepted: 1, rejected: 0');
  });

  it('accepts and rejects with the keyboard, and saves accepted labels', async () => {
    await openReview();
    const button = (name: string): Locator => review().getByRole('button', { name, exact: true });
    await button('Accept pallet: 90% on dock.jpg').and(opened.page.locator(':focus')).waitFor();
    await press('a');
    await press('r');
    await button('Accept pallet: 55% on gate.jpg').and(opened.page.locator(':focus')).waitFor();
    await press('Space');
    await counts('Proposals: 3, accepted: 2, rejected: 1');
    await press('ArrowUp');
    await press('ArrowRight');
    const reject = button('Reject <i>box</i>: 60% on dock.jpg');
    await reject.and(opened.page.locator(':focus')).waitFor();
    assert.equal(await reject.getAttribute('aria-pressed'), 'true');
    await button('Save 2 Accepted').click();
    await waitUntil(() => host.getSent('saveProposals').length === 1);
    assert.deepEqual(host.getSent('saveProposals'), [
      {
        run: 'run 1',
        accepted: [
          { image: 'images-0', proposals: [0] },
          { image: 'images-1', proposals: [0] },
        ],
      },
    ]);
    await button('Saving…').waitFor();
    const [dock] = sampleProposals.images;
    assert.ok(dock);
    opened.webview.notify('proposed', {
      ...sampleProposals,
      images: [{ ...dock, proposals: dock.proposals.slice(1) }],
    });
    await counts('Proposals: 1, accepted: 0, rejected: 1');
    opened.webview.notify('proposed', { ...sampleProposals, images: [] });
    await review().waitFor({ state: 'detached' });
    await opened.page.locator('[role=grid]:focus').waitFor();
  });

  it('preserves an accepted proposal when the confidence is raised above it', async () => {
    await openReview();
    await review().getByRole('button', { name: 'Accept pallet: 55% on gate.jpg' }).click();
    await review().getByRole('slider').focus();
    await press('End');
    assert.deepEqual(await rows(), ['pallet: 55%']);
    await review().getByRole('button', { name: 'Save 1 Accepted' }).waitFor();
  });

  it('accepts all but the rejected, and reports to the host what closing would lose', async () => {
    await openReview();
    await press('r');
    await review().getByRole('button', { name: 'Accept All' }).click();
    await counts('Proposals: 3, accepted: 2, rejected: 1');
    await press('Escape');
    await waitUntil(() => host.getSent('closeProposals').length === 1);
    assert.deepEqual(host.getSent('closeProposals'), [{ unsaved: 2 }]);
    assert.ok(await review().isVisible());
  });

  it('cannot be closed while labels are being saved', async () => {
    await openReview();
    await press('a');
    await review().getByRole('button', { name: 'Save 1 Accepted' }).click();
    await review().getByRole('button', { name: 'Saving…' }).waitFor();
    const close = review().getByRole('button', { name: 'Close Review' });
    assert.equal(await close.getAttribute('aria-disabled'), 'true');
    await close.click({ force: true });
    await press('Escape');
    await opened.webview.waitUntilIdle();
    assert.deepEqual(host.getSent('closeProposals'), []);
    opened.webview.notify('proposed', sampleProposals);
    await review().getByRole('button', { name: 'Save 1 Accepted' }).waitFor();
    await press('Escape');
    await waitUntil(() => host.getSent('closeProposals').length === 1);
  });

  it('replaces an open image', async () => {
    await openPage();
    await opened.page.locator('#item-0:visible').dblclick();
    await opened.page.locator('.image-stage:not(.empty)').waitFor();
    opened.webview.notify('proposed', sampleProposals);
    await opened.page.locator('.detail').waitFor({ state: 'hidden' });
    const accept = review().getByRole('button', { name: 'Accept pallet: 90% on dock.jpg' });
    await accept.and(opened.page.locator(':focus')).waitFor();
    await accept.click();
    await counts('Proposals: 3, accepted: 1, rejected: 0');
    opened.webview.notify('proposed', { ...sampleProposals, images: [] });
    await opened.page.locator('[role=grid]:focus').waitFor();
  });

  it('waits for an image that the user does not leave, and ignores keys there', async () => {
    const image = 'images-0';
    const box = { id: 'box-1', label: 'pallet', ...failedBox };
    const edited = {
      image,
      sequence: 1,
      boxes: [box],
      saving: false,
      canUndo: true,
      canRedo: false,
    };
    host.answers = {
      ...host.answers,
      openBoxes: () => Promise.resolve(edited),
      settleBoxes: () => Promise.resolve(edited),
    };
    await openPage();
    await opened.page.locator('#item-0:visible').dblclick();
    // Wait for the boxes, because boxes that aren't loaded yet don't prevent leaving the image.
    await opened.page.locator(".box-option[data-state='failed']").waitFor();
    opened.webview.notify('proposed', sampleProposals);
    await waitUntil(() => host.getSent('settleBoxes').length === 1);
    const leaving = opened.page.getByRole('button', { name: 'Leave Anyway' });
    await leaving.waitFor();
    await press('a');
    await press('r');
    assert.ok(await opened.page.locator('.detail').isVisible());
    await leaving.click();
    await opened.page.locator('.detail').waitFor({ state: 'hidden' });
    await counts('Proposals: 3, accepted: 0, rejected: 0');
    await review().getByRole('button').and(opened.page.locator(':focus')).waitFor();
  });

  it('draws the proposed boxes over the images', async () => {
    await openReview();
    await opened.page.waitForFunction(() => {
      const image = document.querySelector<HTMLCanvasElement>('.review-thumbnail');
      return image?.getContext('2d')?.getImageData(image.width >> 1, image.height >> 1, 1, 1)
        .data[3];
    });
    const edge = (): Promise<readonly number[]> =>
      opened.page.evaluate(() => {
        const image = document.querySelector<HTMLCanvasElement>('.review-thumbnail');
        const context = image?.getContext('2d');
        if (!image || !context) return [];
        const [x, y] = [Math.round(image.width * 0.1), Math.round(image.height * 0.35)];
        return [...context.getImageData(x, y, 1, 1).data];
      });
    const drawn = await edge();
    await press('r');
    assert.notDeepEqual(await edge(), drawn, 'a rejected box is not drawn');
  });

  it('restores the decisions when the page is reloaded', async () => {
    await openReview();
    await press('a');
    await press('r');
    await counts('Proposals: 3, accepted: 1, rejected: 1');
    await review().getByRole('slider').focus();
    await press('Home');
    await counts('Proposals: 4, accepted: 1, rejected: 1');
    await waitUntil(() => host.getSent('decideProposals').length === 3);
    const { run, decisions } = host.getSent('decideProposals').at(-1) as {
      readonly run: string;
      readonly decisions: ReviewDecisions;
    };
    assert.deepEqual(
      [run, decisions],
      [
        'run 1',
        {
          threshold: 0.05,
          accepted: [{ image: 'images-0', proposals: [0] }],
          rejected: [{ image: 'images-0', proposals: [1] }],
        },
      ],
    );
    await opened.close();
    const saved = { ...sampleProposals, decisions };
    host.answers = { ...host.answers, openProposals: () => Promise.resolve({ proposals: saved }) };
    await openPage();
    await review().waitFor();
    await counts('Proposals: 4, accepted: 1, rejected: 1');
    await review().getByText('5%', { exact: true }).waitFor();
  });

  it('is offered after its panel was closed, and opens with its decisions', async () => {
    const text = 'A review of labels was closed with 1 accepted label that is not saved.';
    const suspended = { run: 'run 1', text };
    host.answers = { ...host.answers, suspendedReview: () => Promise.resolve({ suspended }) };
    await openPage();
    await opened.page.getByText(text).waitFor();
    assert.deepEqual(await findAxeViolations(opened.page), []);
    await opened.button('Resume Review').click();
    await waitUntil(() => host.getSent('resumeReview').length === 1);
    assert.deepEqual(host.getSent('resumeReview'), [{ run: 'run 1' }]);
    const accepted = [{ image: 'images-1', proposals: [0] }];
    opened.webview.notify('reviewSuspended', {});
    opened.webview.notify('proposed', {
      ...sampleProposals,
      decisions: { threshold: 0.5, accepted, rejected: [] },
    });
    await counts('Proposals: 3, accepted: 1, rejected: 0');
    assert.equal(await opened.page.getByText(text).count(), 0);
  });

  it('is discarded from the offer, which returns the focus to the images', async () => {
    await openPage();
    await opened.page.locator('#item-0:visible').waitFor();
    const suspended = { run: 'run 1', text: 'A review was closed.' };
    opened.webview.notify('reviewSuspended', { suspended });
    await opened.button('Discard').click();
    await opened.page.locator('[role=grid]:focus').waitFor();
    await waitUntil(() => host.getSent('discardReview').length === 1);
    assert.deepEqual(host.getSent('discardReview'), [{ run: 'run 1' }]);
    opened.webview.notify('reviewSuspended', {});
    await opened.page.getByText('A review was closed.').waitFor({ state: 'detached' });
  });

  for (const theme of themeKinds) {
    it(`is accessible in ${theme}`, async () => {
      await openReview(theme);
      await press('a');
      await press('r');
      await counts('Proposals: 3, accepted: 1, rejected: 1');
      assert.deepEqual(await findAxeViolations(opened.page), []);
    });
  }
});
