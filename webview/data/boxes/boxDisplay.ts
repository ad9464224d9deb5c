import type { EditedBox } from '../../../src/shared/data/boxes';

/** Which boxes of images are shown, and whether with their labels. The images of a panel share it. */
export class BoxDisplay {
  areLabelsShown = true;
  /** The only label whose boxes are shown. */
  isolatedLabel: string | undefined;
  private filtered: readonly EditedBox[] = [];
  private source: readonly EditedBox[] | undefined;
  private filter: string | undefined;

  /** The boxes to show; the same list for the same boxes. */
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
