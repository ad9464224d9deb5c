import type { EditedBox } from '../../../src/shared/data/boxes';

/** Display settings for boxes and labels, shared by all images of a panel. */
export class BoxDisplay {
  areLabelsShown = true;
  /** If set, only boxes with this label are shown. */
  isolatedLabel: string | undefined;
  private filtered: readonly EditedBox[] = [];
  private source: readonly EditedBox[] | undefined;
  private filter: string | undefined;

  /** Returns the boxes to show; returns the same array as long as the boxes are the same. */
  visible(boxes: readonly EditedBox[]): readonly EditedBox[] {
    const { isolatedLabel } = this;
    if (isolatedLabel === undefined) return boxes;
    if (boxes !== this.source || isolatedLabel !== this.filter) {
      this.filtered = boxes.filter(({ label }) => label === isolatedLabel);
      this.source = boxes;
      this.filter = isolatedLabel;
    }
    return this.filtered;
  }
}
