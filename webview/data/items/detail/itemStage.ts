import type { BoxView } from '../../../../src/shared/data/boxes';
import type { ItemView } from '../../../../src/shared/data/items';

/** Shows the content of one item. */
export interface ItemStage {
  readonly element: HTMLElement;
  show(item: ItemView, bytes: ArrayBuffer): Promise<void>;
  /** Called when another item is loading: the shown one can't be changed any longer. */
  expectAnother?(): void;
  /** Draws a model's predicted boxes over an image until another one is shown. */
  showPredictions?(boxes: readonly BoxView[]): void;
  /** Resolves to false if the user must finish something before it can show anything else. */
  leave(): Promise<boolean>;
  focus(): void;
  dispose(): void;
}
