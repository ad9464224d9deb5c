import type { BoxAct, EditedImage } from '../../../src/shared/data/boxes';
import type { DataContext } from '../dataContext';

/** Host functions that load and save the boxes of images. */
export interface BoxHost {
  open(image: string): Promise<EditedImage>;
  /** Waits until no change to the image is being saved. */
  flush(image: string): Promise<EditedImage>;
  labels(): Promise<readonly string[]>;
  act(image: string, sequence: number, act: BoxAct): void;
  /**
   * Adds a listener.
   * @returns a function that removes the listener.
   */
  listen(listener: (image: EditedImage) => void): () => void;
}

export function createBoxHost({
  host,
  boxEvents: boxNews,
}: Pick<DataContext, 'host' | 'boxEvents'>): BoxHost {
  return {
    open: (image) => host.request('openBoxes', { image }),
    flush: (image) => host.request('settleBoxes', { image }),
    labels: async () => (await host.request('boxLabels', undefined)).labels,
    act: (image, sequence, act) => host.send('actOnBoxes', { image, sequence, act }),
    listen: (listener) => boxNews.listen(listener),
  };
}
