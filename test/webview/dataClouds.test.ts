import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { PCD_ENCODINGS } from '../../src/simulate/clouds/pcd';
import { hallFile, headerEnd, textFile, withHeader } from './support/cloudFiles';
import { bundleCloudStage, CloudPage } from './support/cloudPage';
import { sharedBrowser } from './support/sharedBrowser';
import { themeKinds } from './support/themes';
import type { AppFiles } from './support/webviewPage';

const CLOUDS_IN_SEQUENCE = 30;

describe('the view of a point cloud in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let files: AppFiles;
  let opened: CloudPage;

  before(async () => {
    [browser, files] = await Promise.all([sharedBrowser(), bundleCloudStage()]);
  });

  afterEach(async () => {
    const { pageErrors: complaints } = opened;
    await opened.close();
    assert.deepEqual(complaints, []);
  });

  async function open(options: Parameters<typeof CloudPage.open>[2] = {}): Promise<void> {
    opened = await CloudPage.open(browser, files, options);
  }

  const readFact = (name: string): Promise<string> =>
    opened.facts.locator('div').filter({ hasText: name }).locator('dd').innerText();
  const isOn = (name: string): Promise<string | null> =>
    opened.button(name).getAttribute('aria-pressed');

  for (const encoding of PCD_ENCODINGS) {
    it(`shows a cloud in ${encoding}, and describes it in text`, async () => {
      await open();
      await opened.show(hallFile({ encoding }));
      assert.equal(await readFact('Points'), '1,000 points');
      assert.match(await readFact('Size'), /^14\.\d+ × 14\.\d+ × 3\.\d+ m$/);
      assert.match(
        await readFact('Extent'),
        /^x from -7\.\d+ to 7\.\d+ m · y from .* · z from -1\.\d+/,
      );
      assert.equal(await readFact('Fields'), 'x, y, z, rgb');
      assert.equal(await readFact('Encoding'), encoding);
      assert.equal(await opened.view.getAttribute('aria-label'), 'Point cloud scan.pcd');
      const empty = await opened.hashScreenshot();
      await opened.page.locator('canvas').evaluate((canvas) => canvas.remove());
      assert.notEqual(await opened.hashScreenshot(), empty);
    });
  }

  it('loads the script that draws clouds once, when it is first needed', async () => {
    await open();
    const countRequests = (): number =>
      opened.requests.filter((path) => path === '/pointCloud.js').length;
    assert.equal(countRequests(), 0);
    await opened.show(hallFile());
    await opened.renew();
    await opened.show(hallFile());
    assert.equal(countRequests(), 1);
  });

  it('reports that the script cannot be loaded, and retries with the next cloud', async () => {
    await open();
    let isThere = false;
    await opened.page.route('**/pointCloud.js', (route) =>
      isThere ? route.fallback() : route.abort(),
    );
    await opened.show(hallFile());
    assert.match(await opened.problem.innerText(), /couldn't be loaded from the extension/);
    opened.pageErrors.length = 0;
    isThere = true;
    await opened.show(hallFile());
    assert.equal(await opened.problem.isVisible(), false);
    assert.equal(await readFact('Points'), '1,000 points');
  });

  it('colors by the fields of the cloud, with a numeric legend', async () => {
    await open();
    await opened.show(hallFile({ detail: 'intensity' }));
    assert.equal(await opened.button('RGB').isVisible(), false);
    assert.equal(await isOn('Intensity'), 'true');
    const legend = opened.page.locator('.cloud-legend');
    assert.match(await legend.innerText(), /^Intensity: 0\.\d+ to 0\.\d+ \(all values: /);
    const byIntensity = await opened.hashScreenshot();
    await opened.button('Height').click();
    assert.equal(await isOn('Intensity'), 'false');
    assert.match(await legend.innerText(), /^Height: -1\.\d+ m to 2\.\d+ m/);
    assert.notEqual(await opened.hashScreenshot(), byIntensity);
    await opened.show(hallFile());
    assert.equal(await isOn('Height'), 'true');
    await opened.button('RGB').click();
    assert.equal(await legend.isVisible(), false);
  });

  it('supports the keyboard for everything, and lists the keys', async () => {
    await open();
    await opened.show(hallFile({ points: 20_000 }));
    await opened.view.focus();
    const { keyboard } = opened.page;
    const whole = await opened.hashScreenshot();
    let before = whole;
    const turning = ['ArrowLeft', 'ArrowUp', 'Shift+ArrowRight', 'Shift+ArrowDown', '+', '-'];
    for (const key of [...turning, '1', '2', '3', 'c', ']', '[', 'g']) {
      await keyboard.press(key);
      const after = await opened.hashScreenshot();
      assert.notEqual(after, before, key);
      before = after;
    }
    for (const key of ['g', 'c', '0']) await keyboard.press(key);
    assert.equal(await opened.hashScreenshot(), whole);
    await keyboard.press('?');
    const help = opened.page.getByRole('region', { name: '3D view shortcuts' });
    assert.match(await help.innerText(), /Shift \+ ← → ↑ ↓\s+Move the view/);
    await keyboard.press('?');
    await help.waitFor({ state: 'hidden' });
  });

  it('passes unused keys to its parents', async () => {
    await open();
    await opened.show(hallFile());
    await opened.page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      document.addEventListener('keydown', ({ key }) => seen.push(key));
    });
    await opened.view.focus();
    for (const key of ['ArrowLeft', 'Escape', 'PageDown']) await opened.page.keyboard.press(key);
    const seen = await opened.page.evaluate(() => (window as { seen?: unknown }).seen);
    assert.deepEqual(seen, ['Escape', 'PageDown']);
  });

  it('rotates with the mouse, and to the directions of buttons', async () => {
    await open();
    await opened.show(hallFile({ points: 20_000 }));
    const whole = await opened.hashScreenshot();
    const box = await opened.view.boundingBox();
    assert.ok(box);
    const { mouse } = opened.page;
    await mouse.move(box.x + 300, box.y + 200);
    await mouse.down();
    await mouse.move(box.x + 400, box.y + 220, { steps: 3 });
    await mouse.up();
    assert.notEqual(await opened.hashScreenshot(), whole);
    await mouse.wheel(0, -300);
    for (const view of ['Top', 'Front', 'Side']) {
      const before = await opened.hashScreenshot();
      await opened.button(view).click();
      assert.notEqual(await opened.hashScreenshot(), before);
    }
    await opened.button('Reset View').click();
    await mouse.move(0, 0);
    assert.equal(await opened.hashScreenshot(), whole);
  });

  it('draws only after changes', async () => {
    const before = (): void => {
      const original: unknown = Reflect.get(WebGL2RenderingContext.prototype, 'drawArrays');
      Object.assign(window, { draws: 0 });
      Object.assign(WebGL2RenderingContext.prototype, {
        drawArrays(this: WebGL2RenderingContext, ...args: readonly unknown[]): void {
          (window as unknown as { draws: number }).draws += 1;
          Reflect.apply(original as () => void, this, args);
        },
      });
    };
    await open({ before });
    const draws = (): Promise<number> =>
      opened.page.evaluate(() => (window as unknown as { draws: number }).draws);
    await opened.show(hallFile());
    await opened.drawn();
    const shown = await draws();
    assert.ok(shown > 0);
    for (let frame = 0; frame < 10; frame += 1) await opened.drawn();
    assert.equal(await draws(), shown);
    await opened.view.press('ArrowLeft');
    await opened.drawn();
    assert.ok((await draws()) > shown);
  });

  it('shows an even sample of a large cloud, and reports it', async () => {
    await open();
    await opened.renew({ maxPoints: 2_000 });
    await opened.show(hallFile({ points: 30_000 }));
    assert.equal(await readFact('Points'), 'Showing 2,000 of 30,000 evenly sampled points');
  });

  it('shows the readable part of a truncated file, and where it ends', async () => {
    await open();
    const whole = hallFile();
    await opened.show(whole.slice(0, headerEnd(whole) + 345 * 16 + 3));
    assert.equal(
      await opened.problem.innerText(),
      'Only part of the point cloud is shown. The file ends after 345 of 1,000 points.',
    );
    assert.equal(await opened.view.isVisible(), true);
    assert.equal(await readFact('Points'), '345 of 1,000 points');
  });

  const hostile = {
    'not a cloud': [new Uint8Array(200), /This is not a PCD file/],
    'truncated within the compressed points': [
      hallFile({ encoding: 'binary_compressed' }).slice(0, 2_000),
      /The file ends after 1,\d+ of \d+,\d+ bytes of its compressed points\./,
    ],
    'without points': [textFile([]), /has no points with a position/],
    'without positions': [textFile(['nan nan nan']), /has no points with a position/],
    'with markup in its header': [
      withHeader(hallFile(), /FIELDS x/, 'FIELDS <img/src=x/onerror=alert(1)>'),
      /doesn't have the fields x, y, and z/,
    ],
    'larger than memory': [
      withHeader(withHeader(hallFile(), /WIDTH .*/, 'WIDTH 9e99'), /POINTS .*/, 'POINTS 9e99'),
      /The WIDTH line in the file header/,
    ],
  } as const;
  for (const [what, [file, message]] of Object.entries(hostile)) {
    it(`reports the error of a file that is ${what}, and shows the next one`, async () => {
      await open();
      await opened.show(hallFile());
      await opened.show(file);
      assert.match(await opened.problem.innerText(), message);
      assert.equal(await opened.view.isVisible(), false);
      assert.equal(await opened.page.locator('img').count(), 0);
      await opened.show(hallFile());
      assert.equal(await opened.problem.isVisible(), false);
      assert.equal(await opened.view.isVisible(), true);
    });
  }

  it('describes the cloud in text without WebGL', async () => {
    const before = (): void => {
      HTMLCanvasElement.prototype.getContext = () => null;
    };
    await open({ before });
    await opened.show(hallFile());
    assert.match(await opened.problem.innerText(), /can't render 3D graphics/);
    assert.match(await readFact('Size'), /^14\.\d+ × /);
    opened.pageErrors.length = 0;
  });

  it('reports that the graphics were reset, and draws the cloud again', async () => {
    await open();
    await opened.show(hallFile());
    await opened.view.focus();
    await opened.page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
    });
    await opened.problem.getByText('the graphics processor was reset').waitFor();
    await opened.button('Redraw').click();
    await opened.view.waitFor();
    assert.equal(await opened.problem.isVisible(), false);
    assert.equal(await opened.page.locator('canvas').count(), 1);
  });

  it('preserves its contexts for any number of clouds', async () => {
    await open();
    await opened.page.evaluate(() => {
      const lost: string[] = [];
      Object.assign(window, { lost });
      window.addEventListener('webglcontextlost', () => lost.push('lost'), true);
    });
    const file = hallFile();
    for (let cloud = 0; cloud < CLOUDS_IN_SEQUENCE; cloud += 1) {
      await opened.show(file);
      await opened.renew();
    }
    await opened.show(file);
    await opened.drawn();
    assert.equal(await opened.problem.isVisible(), false);
    const isLost = await opened.page
      .locator('canvas')
      .evaluate((canvas: HTMLCanvasElement) => canvas.getContext('webgl2')?.isContextLost());
    assert.equal(isLost, false);
  });

  it('places the camera at a distance from a single point', async () => {
    await open();
    await opened.show(textFile(['1 1 1']));
    await opened.page.getByText('Grid lines every 0.1 m').waitFor();
  });

  it('shows the last cloud if another one arrives before the first was read', async () => {
    await open();
    const [large, small] = [hallFile({ points: 200_000, encoding: 'ascii' }), hallFile()];
    await Promise.all([opened.show(large, 'large.pcd'), opened.show(small, 'small.pcd')]);
    assert.equal(await opened.view.getAttribute('aria-label'), 'Point cloud small.pcd');
    assert.equal(await readFact('Points'), '1,000 points');
  });

  for (const theme of themeKinds) {
    it(`is accessible in ${theme}`, async () => {
      await open({ theme });
      await opened.show(hallFile({ detail: 'intensity' }));
      await opened.button('3D view shortcuts').click();
      const require = createRequire(import.meta.url);
      await opened.page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
      const violations = await opened.page.evaluate<string[]>(
        // The panel provides the page's heading.
        `axe.run(document, { rules: { 'page-has-heading-one': { enabled: false } } }).then(({ violations }) => violations.map(({ id, nodes }) =>
          id + ': ' + nodes.map(({ html, failureSummary }) => html + failureSummary).join('; ')))`,
      );
      assert.deepEqual(violations, []);
    });
  }
});
