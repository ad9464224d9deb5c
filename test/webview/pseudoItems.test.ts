import { FleetError } from '../../src/core/api/errors';
import { AnnotatedImage } from '../support/annotatedImage';
import { toPseudoText as t } from '../support/pseudoTexts';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { hallFile, headerEnd, textFile } from './support/cloudFiles';
import { bundleCloudStage, CloudPage } from './support/cloudPage';
import { DataPage } from './support/dataPage';
import { FakeDataHost } from './support/fakeDataHost';
import { bundleImageStage, ImageStagePage } from './support/imageStagePage';
import { pseudoLocale, pseudoSuite } from './support/pseudoSuite';
import { bundleApp, drawn } from './support/webviewPage';

const REFUSED = 'Not a model of ours.';

describe('a pseudo-translated view of captured items shows no bare English string', function () {
  this.timeout(120_000);
  const suite = pseudoSuite();

  describe('in an image with boxes', () => {
    const data = [
      ...['Data', 'cup jug', 'plain jpg', "Couldn't add the bounding box."],
      "You don't have permission to do this. Ask an owner of the organization for a role that includes it.",
    ];
    let fleet: MemoryFleet;
    let image: AnnotatedImage;
    let stage: ImageStagePage;

    beforeEach(async () => {
      fleet = await openMemoryFleet();
      image = await AnnotatedImage.capture(fleet);
    });

    afterEach(async () => {
      await suite.view.close();
      await fleet.close();
    });

    async function open(readOnly = false): Promise<void> {
      const corners = { xMin: 0.25, yMin: 0.25, xMax: 0.5, yMax: 0.5 };
      await image.draw({ ...corners, label: 'cup' });
      const files = await bundleImageStage();
      stage = await ImageStagePage.open(suite.browser, { image, files, readOnly });
      const { webview } = stage;
      suite.view = {
        page: webview.page,
        pageErrors: webview.pageErrors,
        waitUntilIdle: () => webview.waitUntilIdle(),
        close: () => stage.close(),
      };
      await stage.showPlain(image);
    }

    it('that are drawn, labeled, and edited', async () => {
      await open();
      await stage.list.getByRole('option').first().waitFor();
      await suite.check('boxes', data);
      await stage.press('b', 'Enter');
      await stage.page.getByRole('combobox').first().waitFor();
      await suite.check('label', data);
      await stage.page.keyboard.type('jug');
      await suite.check('new label', data);
      await stage.press('Enter');
      await stage.saving.getByText(t('Saved'), { exact: true }).waitFor();
      await suite.check('saved', data);
    });

    it('that a read-only key cannot edit', async () => {
      await open(true);
      await suite.check('read-only', data);
    });

    it('that could not be saved', async () => {
      await open();
      await stage.list.getByRole('option').first().waitFor();
      image.faults.fail('AddBoundingBoxToImageByID', 'refused');
      await stage.press('b', 'Enter');
      await stage.page.keyboard.type('jug');
      await stage.press('Enter');
      await stage.problems.getByRole('button').first().waitFor();
      await suite.check('not saved', data);
      const leaving = stage.leave();
      await stage.page.locator('[data-focus=leave]').waitFor();
      await suite.check('leave', data);
      await stage.page.locator('[data-focus=leave]').press('Enter');
      await leaving;
    });
  });

  describe('in a point cloud', () => {
    const data = ['scan pcd', 'rgb intensity', 'ascii binary_compressed'];
    let cloud: CloudPage;

    async function open(file: Uint8Array): Promise<void> {
      cloud = await CloudPage.open(suite.browser, await bundleCloudStage());
      const { page, pageErrors } = cloud;
      suite.view = {
        page,
        pageErrors,
        waitUntilIdle: () => drawn(page),
        close: () => cloud.close(),
      };
      await cloud.show(file);
    }

    it('with its tools, facts, and keys', async () => {
      await open(hallFile({ detail: 'intensity' }));
      await cloud.view.waitFor();
      await suite.check('intensity', data);
      await suite.click('Height');
      await suite.check('height', data);
      await cloud.view.focus();
      await suite.check('keys', data);
    });

    it('that is incomplete, or has no points', async () => {
      const whole = hallFile();
      await open(whole.slice(0, headerEnd(whole) + 345 * 16 + 3));
      await cloud.problem.waitFor();
      await suite.check('incomplete', data);
      for (const file of [new Uint8Array(200), textFile([]), textFile(['nan nan nan'])]) {
        await cloud.show(file);
        await suite.check('without points', data);
      }
    });
  });

  describe('in a data panel', () => {
    const data = [
      ...['Data Norrvik', 'images jpg jpeg image', 'rover main camera', 'mast', REFUSED],
      ...['pallets pallet dock', 'Acme org', 'items to add'],
    ];
    let host: FakeDataHost;
    let opened: DataPage;

    beforeEach(() => {
      host = new FakeDataHost();
      host.start = { locale: pseudoLocale };
      host.counts = { images: 12, pointClouds: 0, files: 0, readings: 0 };
    });

    async function open(): Promise<void> {
      opened = await DataPage.open(suite.browser, { host, files: await bundleApp('data') });
      suite.view = opened.webview;
      await opened.page.locator('#item-0:visible').waitFor();
    }

    for (const canWrite of [true, false]) {
      it(`with selected items that the key can${canWrite ? '' : 'not'} edit`, async () => {
        host.start = { locale: pseudoLocale, canWrite };
        await open();
        await opened.page.locator('#item-0:visible').click();
        opened.webview.notify('undoable', { text: 'items to add' });
        await suite.check('selected', data);
        await opened.page.keyboard.press('Control+a');
        await suite.check('all selected', data);
      });
    }

    it('with files dragged over it', async () => {
      await open();
      await opened.page.evaluate(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['x'], 'a.jpg'));
        const options = { dataTransfer, bubbles: true, cancelable: true };
        for (const name of ['dragenter', 'dragover']) {
          document.querySelector('#app')?.dispatchEvent(new DragEvent(name, options));
        }
      });
      await opened.page.locator('.drop-overlay').waitFor();
      await suite.check('dragged', data);
    });

    it('with a model that cannot be tried', async () => {
      host.answers = { tryModel: () => Promise.reject(new FleetError('unsupported', REFUSED)) };
      await open();
      await opened.page.locator('#item-0:visible').click();
      await opened.page.keyboard.press('Enter');
      await opened.page.locator('.detail').waitFor();
      await opened.webview.waitUntilIdle();
      await opened.page.keyboard.press('m');
      await opened.page.getByRole('alert').getByText(REFUSED).waitFor();
      await suite.check('model', data);
    });

    it('with proposals that are accepted, saved, and discarded', async () => {
      await open();
      const box = { xMin: 0.1, yMin: 0.1, xMax: 0.9, yMax: 0.9 };
      const proposals = [0, 1].map((id) => ({ id, label: 'pallet', confidence: 0.9, box }));
      opened.webview.notify('proposed', {
        run: 'run 1',
        model: 'pallets',
        task: 'objectDetection',
        images: [{ id: 'images-0', name: 'dock.jpg', sizeBytes: 1_000, proposals }],
      });
      await opened.page.locator('.review-label').first().waitFor();
      await opened.page.keyboard.press('r');
      await suite.check('rejected', data);
      await suite.click('Accept All');
      await suite.check('accepted', data);
    });
  });
});
