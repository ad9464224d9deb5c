import type { BoxAct, Corners, EditedBox } from '../../../src/shared/data/boxes';
import type { Size } from './boxGeometry';
import type { BoxModel } from './boxModel';
import { atLeastOnePixel, movedBy, resizedBy } from './boxMoves';

/** Maximum time, in milliseconds, between key presses that count as one action. */
const GESTURE_PAUSE = 1_000;

export interface AnnotatorOptions {
  readonly model: BoxModel;
  /** Size of the image in pixels. */
  readonly image: Size;
  readonly readOnly: boolean;
  readonly display: BoxDisplay;
  readonly onChange: () => void;
  readonly onAct: (act: BoxAct, box: EditedBox | undefined) => void;
}

/**
 * The user's interaction with the boxes in an image: which box is selected, dragged, or being
 * drawn.
 */
export class Annotator {
  private selectedId: string | undefined;
  private drawn: Corners | undefined;
  private dragged: { readonly id: string; readonly corners: Corners } | undefined;
  private gesture = 0;
  private lastKeyAt = -Infinity;

  constructor(private readonly options: AnnotatorOptions) {}

  get canEdit(): boolean {
    return !this.options.readOnly && this.options.model.isOpen;
  }

  get canUndo(): boolean {
    return this.canEdit && this.options.model.canUndo;
  }

  get canRedo(): boolean {
    return this.canEdit && this.options.model.canRedo;
  }

  /** The visible boxes, as they are or will be stored. */
  get boxes(): readonly EditedBox[] {
    const { display, model } = this.options;
    return display.visible(model.boxes);
  }

  /** Shows only the boxes with the given label; undefined shows all boxes. */
  isolate(label: string | undefined): void {
    this.options.display.isolatedLabel = label;
    const { selected } = this;
    if (selected && !this.boxes.some(({ id }) => id === selected.id)) this.selectedId = undefined;
    this.endGesture();
    this.options.onChange();
  }

  get selected(): EditedBox | undefined {
    const box = this.options.model.find(this.selectedId);
    const { dragged } = this;
    return box && dragged?.id === box.id ? { ...box, ...dragged.corners } : box;
  }

  /** The new box that doesn't have a label yet. */
  get draft(): Corners | undefined {
    return this.drawn;
  }

  /** The box to which keys apply: the new box or the selected box. */
  get active(): Corners | undefined {
    return this.drawn ?? this.selected;
  }

  select(id: string | undefined): void {
    if (id === this.selectedId && !this.drawn) return;
    this.drawn = undefined;
    this.selectedId = id;
    this.endGesture();
    this.options.onChange();
  }

  /**
   * Moves the selection by a number of boxes.
   * @returns false if there is no box to select.
   */
  selectBy(step: 1 | -1): boolean {
    const { boxes } = this;
    const at = boxes.findIndex(({ id }) => id === this.selectedId);
    const next = at >= 0 ? at + step : step > 0 ? 0 : boxes.length - 1;
    const box = boxes[next];
    this.select(box?.id);
    return box !== undefined;
  }

  /** Starts a new box, or continues drawing it. */
  draw(corners: Corners): void {
    if (!this.canEdit) return;
    this.selectedId = undefined;
    this.drawn = corners;
    this.options.onChange();
  }

  /** Shows the selected box at the position to which the user is dragging it. */
  drag(corners: Corners): void {
    const { selected } = this;
    if (!selected || !this.canEdit) return;
    this.dragged = { id: selected.id, corners };
    this.options.onChange();
  }

  drop(): void {
    const { dragged } = this;
    this.dragged = undefined;
    this.endGesture();
    if (dragged) this.act({ kind: 'change', id: dragged.id, corners: dragged.corners });
    this.options.onChange();
  }

  /**
   * Cancels the current interaction.
   * @returns false if there was nothing to cancel.
   */
  cancel(): boolean {
    if (!this.drawn && !this.dragged) return false;
    this.drawn = undefined;
    this.dragged = undefined;
    this.options.onChange();
    return true;
  }

  /**
   * Moves the active box by a number of image pixels.
   * @param keyAt time of the key press in milliseconds
   */
  moveBy(x: number, y: number, keyAt: number): void {
    const { width, height } = this.options.image;
    this.step(keyAt, (box) => movedBy(box, x / width, y / height));
  }

  /**
   * Moves the right and bottom edges of the active box, the same way `moveBy` moves the whole box.
   */
  resizeBy(x: number, y: number, keyAt: number): void {
    const { image } = this.options;
    this.step(keyAt, (box) => resizedBy(box, x / image.width, y / image.height, image));
  }

  /** Moves the selected box to the entered position. */
  moveSelected(corners: Corners): void {
    const { selected } = this;
    if (!selected || !this.canEdit) return;
    this.endGesture();
    const box = atLeastOnePixel(corners, this.options.image);
    this.act({ kind: 'change', id: selected.id, corners: box });
  }

  /** Sets the label of the selected box or of the new box, which completes the new box. */
  label(label: string): void {
    const { drawn, selected } = this;
    if (!this.canEdit) return;
    this.endGesture();
    const { display } = this.options;
    // A box that the user labels stays visible.
    if (display.isolatedLabel !== undefined && (drawn || selected)) display.isolatedLabel = label;
    if (drawn) {
      const id = crypto.randomUUID();
      this.drawn = undefined;
      this.selectedId = id;
      this.act({ kind: 'add', id, label, corners: drawn });
    } else if (selected) {
      this.act({ kind: 'change', id: selected.id, label });
    }
  }

  remove(): void {
    const { selected, boxes } = this;
    if (!selected || !this.canEdit) return;
    const at = boxes.findIndex(({ id }) => id === selected.id);
    // Select the next box, so that keyboard navigation continues from there.
    this.selectedId = (boxes[at + 1] ?? boxes[at - 1])?.id;
    this.act({ kind: 'delete', id: selected.id });
  }

  act(act: BoxAct): void {
    if (!this.canEdit) return;
    const { model, onAct } = this.options;
    const box = 'id' in act ? model.find(act.id) : undefined;
    model.act(act);
    onAct(act, box);
  }

  private step(keyAt: number, move: (box: Corners) => Corners): void {
    const { drawn, selected } = this;
    if (!this.canEdit) return;
    if (drawn) {
      this.drawn = move(drawn);
      this.options.onChange();
      return;
    }
    if (!selected) return;
    const corners = move(selected);
    if (keyAt - this.lastKeyAt > GESTURE_PAUSE) this.endGesture();
    this.lastKeyAt = keyAt;
    this.act({ kind: 'change', id: selected.id, corners, gesture: this.gesture });
  }

  private endGesture(): void {
    this.gesture += 1;
    this.lastKeyAt = -Infinity;
  }
}

/** Display settings for boxes and labels, shared by all images in a panel. */
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
