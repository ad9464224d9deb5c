import '../../../webview/messaging/loadTranslations';
import { Emitter } from '../../../src/base/emitter';
import { boxMessages, type EditedImage } from '../../../src/shared/data/boxes';
import type { ItemView } from '../../../src/shared/data/items';
import { ImageStage } from '../../../webview/data/boxes/imageStage';
import { HostConnection, type VsCodeApi } from '../../../webview/messaging/hostConnection';

declare const acquireVsCodeApi: () => VsCodeApi;

export interface StageStart {
  readonly readOnly: boolean;
}

/** Functions that the page of an image stage provides to tests. */
export interface ImageStageApp {
  open(start: StageStart): void;
  /** Shows a file from its base64-encoded contents. */
  show(item: Pick<ItemView, 'id' | 'name' | 'boxes'>, file: string): Promise<void>;
  /** Shows a solid-color image of any size. */
  showPlain(id: string, width: number, height: number): Promise<void>;
  leave(): Promise<boolean>;
  /**
   * Drags in steps from a point of the page, one step per frame.
   * @returns the number of DOM changes that the drag causes
   */
  countDragChanges(x: number, y: number, steps: number): Promise<number>;
  /** Messages announced to screen readers. */
  readonly announcements: readonly string[];
  /** Number of times that the stage let Escape propagate to the page. */
  readonly escapes: number;
}

const boxChanges = new Emitter<EditedImage>();
const host = new HostConnection(boxMessages, acquireVsCodeApi(), {
  boxesChanged: (image) => boxChanges.fire(image),
});
host.listen();

const root = document.getElementById('app');
root?.style.setProperty('display', 'flex');
root?.style.setProperty('height', '100vh');
// Represents the heading of the surrounding page.
const heading = document.createElement('h1');
heading.className = 'visually-hidden';
heading.textContent = 'Data';
root?.append(heading);
const announcements: string[] = [];
let escapes = 0;
document.addEventListener('keydown', ({ key }) => (escapes += key === 'Escape' ? 1 : 0));
let stage: ImageStage;

const app: ImageStageApp = {
  open: ({ readOnly }) => {
    stage = new ImageStage({
      readOnly,
      locale: 'en-US',
      announce: (text) => announcements.push(text),
      host: {
        open: (image) => host.request('openBoxes', { image }),
        flush: (image) => host.request('settleBoxes', { image }),
        labels: async () => (await host.request('boxLabels', undefined)).labels,
        act: (image, sequence, act) => host.send('actOnBoxes', { image, sequence, act }),
        onDidChange: boxChanges.event,
      },
    });
    root?.append(stage.element);
  },
  show: (item, file) => {
    const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
    return stage.show(item, bytes.buffer);
  },
  showPlain: async (id, width, height) => {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    if (context) {
      context.fillStyle = '#456';
      context.fillRect(0, 0, width, height);
    }
    const blob = await canvas.convertToBlob({ type: 'image/jpeg' });
    await stage.show({ id, name: 'plain.jpg', boxes: [] }, await blob.arrayBuffer());
    stage.focus();
  },
  leave: () => stage.leave(),
  countDragChanges: async (x, y, steps) => {
    const surface = document.querySelector<HTMLElement>('.image-surface');
    const fire = (type: string, by: number): void => {
      const init = { clientX: x + by, clientY: y + by, bubbles: true, button: 0 };
      surface?.dispatchEvent(new PointerEvent(type, init));
    };
    // Simulated events have no pointer to capture.
    if (surface) surface.setPointerCapture = () => undefined;
    let changes = 0;
    const observer = new MutationObserver((records) => (changes += records.length));
    fire('pointerdown', 0);
    observer.observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    for (let step = 1; step <= steps; step += 1) {
      fire('pointermove', step);
      await new Promise((done) => requestAnimationFrame(done));
    }
    observer.disconnect();
    fire('pointerup', steps);
    return changes;
  },
  announcements,
  get escapes() {
    return escapes;
  },
};
Object.assign(window, { imageStageApp: app });
