import type { BoxView } from '../../../../src/shared/data/boxes';
import type { ItemView } from '../../../../src/shared/data/items';

/** Shows the content of one item large. */
export interface ItemStage {
  readonly element: HTMLElement;
  show(item: ItemView, bytes: ArrayBuffer): Promise<void>;
  /** Something else is on its way: what is shown takes no changes any more. */
  expectAnother?(): void;
  /** Draws boxes that a model predicts over an image, until another one is shown. */
  showPredictions?(boxes: readonly BoxView[]): void;
  /** False when something unfinished has to be settled before it shows anything else. */
  leave(): Promise<boolean>;
  focus(): void;
  dispose(): void;
}
