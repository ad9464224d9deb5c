import type { Corners } from '../../../src/shared/data/boxes';
import type { Annotator } from './annotator';
import { type Handle, handleAt, pickedAt, type Point } from './boxGeometry';
import { boxBetween, draggedTo, movedBy } from './boxMoves';
import type { Surface } from './surface';

/** Minimum pointer movement, in CSS pixels, for a drag instead of a click. */
const MIN_DRAG_DISTANCE = 4;

/** Logarithmic zoom factor per pixel of wheel movement. */
const WHEEL_STEP = 0.0015;

/** Callbacks for a pressed pointer. */
interface Drag {
  readonly from: Point;
  readonly move: (to: Point) => void;
  readonly end: (to: Point) => void;
  /** Called if the pointer is released without movement. */
  readonly click: () => void;
  moved: boolean;
}

export interface PointerActs {
  readonly annotator: () => Annotator | undefined;
  /** Called when the user has drawn a box, which then needs a label. */
  readonly onDrawn: () => void;
}

/** Mouse control of the image: draw, select, move, resize, pan, and zoom. */
export class SurfacePointer {
  private drag: Drag | undefined;
  private isSpacePressed = false;

  constructor(
    private readonly surface: Surface,
    private readonly acts: PointerActs,
  ) {
    const { element } = surface;
    element.addEventListener('pointerdown', (event) => this.down(event));
    element.addEventListener('pointermove', (event) => this.move(event));
    element.addEventListener('pointerup', (event) => this.up(event));
    element.addEventListener('pointercancel', () => this.cancel());
    element.addEventListener('pointerleave', () => surface.hover(undefined));
    element.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    element.addEventListener('keydown', ({ key }) => this.setSpacePressed(key, true));
    element.addEventListener('keyup', ({ key }) => this.setSpacePressed(key, false));
    element.addEventListener('blur', () => this.setSpacePressed(' ', false));
  }

  /**
   * Cancels the current drag.
   * @returns false if no drag is in progress.
   */
  cancel(): boolean {
    const was = this.drag !== undefined;
    this.drag = undefined;
    this.acts.annotator()?.cancel();
    return was;
  }

  private setSpacePressed(key: string, pressed: boolean): void {
    if (key !== ' ') return;
    this.isSpacePressed = pressed;
    this.surface.element.classList.toggle('panning', pressed);
  }

  private down(event: PointerEvent): void {
    const isPan = event.button === 1 || (event.button === 0 && this.isSpacePressed);
    if (event.button !== 0 && !isPan) return;
    // Prevents the default focus change, and scrolling with the middle button.
    event.preventDefault();
    this.surface.element.focus({ preventScroll: true });
    const from = toPoint(event);
    this.drag = isPan ? this.panning(from) : this.acting(from);
    this.surface.element.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    const to = toPoint(event);
    const { drag } = this;
    if (!drag) {
      this.surface.hover(to);
      this.showCursor(to);
      return;
    }
    const distance = Math.hypot(to.x - drag.from.x, to.y - drag.from.y);
    drag.moved ||= distance >= MIN_DRAG_DISTANCE;
    if (!drag.moved) return;
    this.surface.hover(undefined);
    drag.move(to);
  }

  private up(event: PointerEvent): void {
    const { drag } = this;
    this.drag = undefined;
    if (drag?.moved) drag.end(toPoint(event));
    else drag?.click();
  }

  private panning(from: Point): Drag {
    let last = from;
    const move = (to: Point): void => {
      this.surface.viewport.pan(last.x - to.x, last.y - to.y);
      last = to;
      this.surface.invalidateView();
    };
    return { from, move, end: move, click: () => undefined, moved: false };
  }

  private acting(from: Point): Drag {
    const annotator = this.acts.annotator();
    const click = (): void => this.click(from);
    const still = { from, move: () => undefined, end: () => undefined, click, moved: false };
    if (!annotator) return still;
    const { active, canEdit } = annotator;
    // Without edit permission, dragging pans the image.
    if (!canEdit) return { ...this.panning(from), click };
    const { frame } = this.surface.viewport;
    const handle = active && handleAt(from, active, frame);
    if (active && handle) return this.resizing(from, annotator, active, handle, click);
    if (active && isInside(from, active, this.surface)) {
      return this.moving(from, annotator, active, click);
    }
    return this.drawing(from, annotator, click);
  }

  private resizing(
    from: Point,
    annotator: Annotator,
    box: Corners,
    handle: Handle,
    click: () => void,
  ): Drag {
    const { viewport } = this.surface;
    const moved = (to: Point): Corners =>
      draggedTo(box, handle, viewport.fractionAt(to), viewport.imageSize);
    return this.changing(from, annotator, moved, click);
  }

  private moving(from: Point, annotator: Annotator, box: Corners, click: () => void): Drag {
    const { viewport } = this.surface;
    const start = viewport.fractionAt(from);
    const moved = (to: Point): Corners => {
      const { x, y } = viewport.fractionAt(to);
      return movedBy(box, x - start.x, y - start.y);
    };
    return this.changing(from, annotator, moved, click);
  }

  private changing(
    from: Point,
    annotator: Annotator,
    moved: (to: Point) => Corners,
    click: () => void,
  ): Drag {
    const isDraft = annotator.draft !== undefined;
    const move = (to: Point): void =>
      isDraft ? annotator.draw(moved(to)) : annotator.drag(moved(to));
    const end = (to: Point): void => {
      move(to);
      if (isDraft) this.acts.onDrawn();
      else annotator.drop();
    };
    return { from, move, end, click, moved: false };
  }

  private drawing(from: Point, annotator: Annotator, click: () => void): Drag {
    const { viewport } = this.surface;
    const start = viewport.fractionAt(from);
    const move = (to: Point): void =>
      annotator.draw(boxBetween(start, viewport.fractionAt(to), viewport.imageSize));
    const end = (to: Point): void => {
      move(to);
      this.acts.onDrawn();
    };
    return { from, move, end, click, moved: false };
  }

  /** Selects the smallest box under the pointer; another click selects the next larger one. */
  private click(at: Point): void {
    const annotator = this.acts.annotator();
    if (!annotator) return;
    const { frame } = this.surface.viewport;
    annotator.select(pickedAt(at, annotator.boxes, frame, annotator.selected?.id)?.id);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { deltaY, deltaMode, ctrlKey } = event;
    const pixels = deltaMode === WheelEvent.DOM_DELTA_PIXEL ? deltaY : deltaY * 30;
    // Browsers report pinch gestures as small wheel steps with Ctrl.
    const factor = Math.exp(-pixels * WHEEL_STEP * (ctrlKey ? 6 : 1));
    this.surface.viewport.zoomBy(Math.min(Math.max(factor, 0.5), 2), toPoint(event, this.surface));
    this.surface.invalidateView();
  }

  private showCursor(at: Point): void {
    const annotator = this.acts.annotator();
    const { style } = this.surface.element;
    if (!annotator?.canEdit) {
      style.cursor = '';
      return;
    }
    const { active } = annotator;
    const handle = active && handleAt(at, active, this.surface.viewport.frame);
    if (handle) style.cursor = getCursor(handle);
    else style.cursor = active && isInside(at, active, this.surface) ? 'move' : 'crosshair';
  }
}

function getCursor({ x, y }: Handle): string {
  if (x === undefined) return 'ns-resize';
  if (y === undefined) return 'ew-resize';
  return x === y ? 'nwse-resize' : 'nesw-resize';
}

function isInside(at: Point, box: Corners, { viewport }: Surface): boolean {
  return pickedAt(at, [{ ...box, id: '', label: '' }], viewport.frame, undefined) !== undefined;
}

function toPoint(event: MouseEvent, surface?: Surface): Point {
  const target = surface?.element ?? event.currentTarget;
  if (!(target instanceof Element)) return { x: event.offsetX, y: event.offsetY };
  const { left, top } = target.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}
