import './englishVscode';
import type { Browser, Locator, Page } from 'playwright-core';
import { Emitter } from '../../../src/base/emitter';
import { toConnectionId } from '../../../src/core/model/connection';
import { BoxSession } from '../../../src/host/features/data/boxes/boxSession';
import type { Applied } from '../../../src/host/features/data/dataSession';
import { formatBoxProblem } from '../../../src/host/features/data/dataPanel';
import { boxMessages } from '../../../src/shared/data/boxes';
import { everyData } from '../../../src/shared/data/dataFilter';
import type { AnnotatedImage } from '../../support/annotatedImage';
import { MemoryKeyValue } from '../../support/memoryPorts';
import type { ImageStageApp } from './imageStageApp';
import type { ThemeKind } from './themes';
import { type AppFiles, bundleParts, WebviewPage } from './webviewPage';

declare global {
  interface Window {
    imageStageApp: ImageStageApp;
  }
}

/** Bundles only the image stage. */
export function bundleImageStage(): Promise<AppFiles> {
  return bundleParts('imageStage', [
    'test/webview/support/imageStageApp',
    ...['webview/ui/theme.css', 'webview/ui/controls.css'],
    ...['webview/data/boxes/imageStage.css', 'webview/data/boxes/boxes.css'],
  ]);
}

interface StageOptions {
  readonly image: AnnotatedImage;
  readonly files: AppFiles;
  readonly theme?: ThemeKind;
  readonly readOnly?: boolean;
}

/** The image stage in a browser, with a host that saves boxes in an in-memory fleet. */
export class ImageStagePage {
  private constructor(
    readonly webview: WebviewPage<typeof boxMessages>,
    readonly session: BoxSession,
    readonly unfinished: readonly number[],
    private readonly applied: Emitter<Applied>,
  ) {}

  static async open(browser: Browser, options: StageOptions): Promise<ImageStagePage> {
    const { image, files, theme = 'dark', readOnly = false } = options;
    const unfinished: number[] = [];
    const applied = new Emitter<Applied>();
    const opened: { webview?: WebviewPage<typeof boxMessages> } = {};
    const session = new BoxSession({
      session: {
        connectionId: toConnectionId('key'),
        filter: everyData,
        onDidApply: applied.event,
        stores: { binaryData: image.store },
      },
      storage: new MemoryKeyValue(),
      sleep: () => Promise.resolve(),
      notify: (state) => opened.webview?.notify('boxesChanged', state),
      formatProblem: formatBoxProblem,
      notifyUnsaved: (images) => unfinished.push(images),
    });
    const webview = await WebviewPage.open(browser, {
      app: 'imageStage',
      files,
      theme,
      protocol: boxMessages,
      handlers: session.handlers(),
    });
    opened.webview = webview;
    const stage = new ImageStagePage(webview, session, unfinished, applied);
    // Set the event time, so that keys that tests press in succession seem consecutive to the page
    // regardless of the computer's speed.
    await stage.setEventTime(0);
    const start = { readOnly };
    await webview.page.evaluate((value) => window.imageStageApp.open(value), start);
    return stage;
  }

  get page(): Page {
    return this.webview.page;
  }

  get surface(): Locator {
    return this.page.getByRole('application');
  }

  get list(): Locator {
    return this.page.getByRole('listbox').first();
  }

  get entry(): Locator {
    return this.page.getByRole('combobox', { name: 'Label' });
  }

  get saving(): Locator {
    return this.page.locator('.box-saving');
  }

  get problems(): Locator {
    return this.page.locator('.box-problems');
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  press(...keys: readonly string[]): Promise<void> {
    return keys.reduce(
      (done, key) => done.then(() => this.page.keyboard.press(key)),
      Promise.resolve(),
    );
  }

  /** Shows a solid-color image and waits until its boxes can be changed. */
  async showPlain(image: AnnotatedImage, width = 400, height = 300): Promise<void> {
    await this.page.evaluate(
      ([id, across, down]) => window.imageStageApp.showPlain(id, across, down),
      [image.id as string, width, height] as const,
    );
    await this.page.locator('.image-stage:not(.empty)').waitFor();
  }

  /** Shows a file with any bytes. */
  async showFile(image: AnnotatedImage, file: Uint8Array, name = 'file.png'): Promise<void> {
    await this.page.evaluate(
      ([id, called, base64]) => window.imageStageApp.show({ id, name: called, boxes: [] }, base64),
      [image.id as string, name, Buffer.from(file).toString('base64')] as const,
    );
  }

  /** Reloads everything, as if the user refreshed the panel. */
  refresh(): void {
    this.applied.fire({} as Applied);
  }

  leave(): Promise<boolean> {
    return this.page.evaluate(() => window.imageStageApp.leave());
  }

  /** Returns the list of boxes as screen readers announce it. */
  async boxes(): Promise<readonly string[]> {
    return this.page.locator('.box-option').allInnerTexts();
  }

  /** Sets the time of all further events, in milliseconds. */
  async setEventTime(time: number): Promise<void> {
    await this.page.evaluate((value) => {
      Object.defineProperty(Event.prototype, 'timeStamp', { configurable: true, value });
    }, time);
  }

  /** Waits until all changes are saved. */
  async saved(): Promise<void> {
    await this.saving.filter({ hasText: /^Saved$/ }).waitFor();
  }

  /** Drags from one position on the surface to another, given as fractions of its size. */
  async drag(from: readonly [number, number], to: readonly [number, number]): Promise<void> {
    const [start, end] = [await this.point(...from), await this.point(...to)];
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 2 });
    await this.page.mouse.move(end.x, end.y);
    await this.page.mouse.up();
  }

  async click(x: number, y: number): Promise<void> {
    const at = await this.point(x, y);
    await this.page.mouse.click(at.x, at.y);
  }

  /** Returns the page coordinates of a point that is given as fractions of the surface. */
  async point(x: number, y: number): Promise<{ readonly x: number; readonly y: number }> {
    const box = await this.surface.boundingBox();
    if (!box) throw new Error('There is no surface.');
    return { x: box.x + x * box.width, y: box.y + y * box.height };
  }

  /**
   * Returns the page coordinates of a point that is given as fractions of an image of 400 × 300
   * pixels that fits into the surface.
   */
  picturePoint(x: number, y: number): Promise<{ readonly x: number; readonly y: number }> {
    return this.surface.evaluate(
      (surface, [across, down]) => {
        const { left, top, width, height } = surface.getBoundingClientRect();
        const scale = Math.min((width - 16) / 400, (height - 16) / 300);
        return {
          x: left + width / 2 + (across - 0.5) * 400 * scale,
          y: top + height / 2 + (down - 0.5) * 300 * scale,
        };
      },
      [x, y] as const,
    );
  }

  /** Counts the drawn pixels of a canvas in a square, in CSS pixels, around a point of the page. */
  countPixels(
    layer: 'boxes' | 'active',
    center: { readonly x: number; readonly y: number },
    size: number,
  ): Promise<number> {
    const canvas = this.surface.locator('canvas').nth(layer === 'boxes' ? 1 : 2);
    return canvas.evaluate(
      (element, [x, y, side]) => {
        const { left, top, width } = element.getBoundingClientRect();
        const context = (element as HTMLCanvasElement).getContext('2d');
        const ratio = (element as HTMLCanvasElement).width / width;
        const [startX, startY] = [x - left - side / 2, y - top - side / 2];
        const [atX, atY, length] = [startX, startY, side].map((one) => Math.round(one * ratio));
        const { data } = context?.getImageData(atX ?? 0, atY ?? 0, length ?? 1, length ?? 1) ?? {
          data: [],
        };
        return Array.from(data).filter((value, index) => index % 4 === 3 && value > 0).length;
      },
      [center.x, center.y, size] as const,
    );
  }

  async close(): Promise<void> {
    this.session.dispose();
    await this.webview.close();
  }
}
