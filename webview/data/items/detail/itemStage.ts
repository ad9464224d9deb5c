import type { BoxView } from '../../../../src/shared/data/boxes';
import type { ItemView } from '../../../../src/shared/data/items';

/** Area that shows the content of one item. */
export interface ItemStage {
  readonly element: HTMLElement;
  show(item: ItemView, bytes: ArrayBuffer): Promise<void>;
  /** Called when another item is loading. From then on, the user can't change the shown item. */
  expectAnother?(): void;
  /** Draws the boxes that a model predicted over an image until another image is shown. */
  showPredictions?(boxes: readonly BoxView[]): void;
  /** Resolves to false if the user must finish something before other content can be shown. */
  leave(): Promise<boolean>;
  focus(): void;
  dispose(): void;
}
