import type { IndexRange } from '../../../src/shared/data/items';
import { element } from '../../ui/elements';
import { type IndexRanges, bandRanges } from './selection';

/** Distance in pixels that the pointer must move before a rubber band is drawn. */
const SLACK = 5;
/**
 * Distance from an edge, in pixels, within which the list scrolls; also the maximum scroll distance
 * per frame.
 */
const EDGE = 36;
const FASTEST = 30;

export interface BandTarget {
  /** The scrolling element; the band is drawn over its parent. */
  readonly scroller: HTMLElement;
  readonly columns: number;
  readonly count: number;
  /** Returns any drawn row, from which the positions of all other rows are derived. */
  anyRow(): { readonly row: number; readonly element: HTMLElement } | undefined;
  /**
   * Called when a band starts; returns the ranges that stay selected, which are empty unless `isAdditive`
   * is true.
   */
  began(isAdditive: boolean): IndexRanges;
  select(ranges: readonly IndexRange[], baseRanges: IndexRanges): void;
  ended(): void;
}

interface Band {
  readonly pointer: number;
  /** The band's start point, relative to the left edge and the top of the first row. */
  readonly from: { readonly x: number; readonly y: number };
  readonly baseRanges: IndexRanges;
}

/** Selects the items that touch a rectangle drawn with the mouse; scrolls the list at its edges. */
export class RubberBand {
  readonly element = element('div', { class: 'rubber-band' });
  private band: Band | undefined;
  private pressed: PointerEvent | undefined;
  private at = { x: 0, y: 0 };
  private frame: number | undefined;
  private justEnded = false;

  constructor(private readonly target: BandTarget) {
    this.element.hidden = true;
    const { scroller } = target;
    scroller.addEventListener('pointerdown', (event) => this.press(event));
    scroller.addEventListener('pointermove', (event) => this.move(event));
    scroller.addEventListener('pointerup', () => this.end());
    scroller.addEventListener('pointercancel', () => this.end());
    // The click event that follows a band must not count as a click on a cell.
    scroller.addEventListener('click', (event) => this.swallow(event), { capture: true });
  }

  private press(event: PointerEvent): void {
    this.justEnded = false;
    const { scroller } = this.target;
    const onBar = event.offsetX >= scroller.clientWidth && event.target === scroller;
    if (event.button !== 0 || event.pointerType === 'touch' || event.shiftKey || onBar) return;
    this.pressed = event;
  }

  private move(event: PointerEvent): void {
    const { pressed } = this;
    if (!pressed) return;
    this.at = { x: event.clientX, y: event.clientY };
    if (!this.band) {
      const far = Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY);
      if (far < SLACK) return;
      this.begin(pressed);
    }
    this.frame ??= requestAnimationFrame(() => this.draw());
  }

  private begin(pressed: PointerEvent): void {
    const y = this.contentY(pressed.clientY);
    if (y === undefined) return;
    const { scroller } = this.target;
    scroller.setPointerCapture(pressed.pointerId);
    const x = pressed.clientX - scroller.getBoundingClientRect().left;
    const baseRanges = this.target.began(pressed.ctrlKey || pressed.metaKey);
    this.band = { pointer: pressed.pointerId, from: { x, y }, baseRanges };
    this.element.hidden = false;
  }

  private draw(): void {
    this.frame = undefined;
    const { band, target, at } = this;
    const geometry = this.geometry();
    if (!band || !geometry) return;
    const { scroller, columns, count } = target;
    const box = scroller.getBoundingClientRect();
    const by = scrollingAt(at.y, box);
    if (by !== 0) scroller.scrollTop += by;
    const x = Math.min(Math.max(at.x, box.left), box.left + scroller.clientWidth) - box.left;
    const y = Math.min(Math.max(at.y, box.top), box.bottom) - geometry.top;
    const { from } = band;
    const rectangle = {
      left: Math.min(x, from.x),
      right: Math.max(x, from.x),
      top: Math.min(y, from.y),
      bottom: Math.max(y, from.y),
    };
    this.updatePosition(rectangle, geometry.top - box.top, box.height);
    const sizes = { width: scroller.clientWidth / columns, height: geometry.rowHeight };
    target.select(bandRanges(rectangle, sizes, columns, count), band.baseRanges);
    if (by !== 0) this.frame = requestAnimationFrame(() => this.draw());
  }

  private updatePosition(
    { left, right, top, bottom }: Record<'left' | 'right' | 'top' | 'bottom', number>,
    shift: number,
    height: number,
  ): void {
    const first = Math.max(top + shift, -2);
    const last = Math.min(bottom + shift, height + 2);
    const { style } = this.element;
    style.left = `${left}px`;
    style.width = `${right - left}px`;
    style.top = `${first}px`;
    style.height = `${Math.max(0, last - first)}px`;
  }

  private end(): void {
    this.pressed = undefined;
    if (!this.band) return;
    this.target.scroller.releasePointerCapture(this.band.pointer);
    this.band = undefined;
    this.justEnded = true;
    this.element.hidden = true;
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    this.target.ended();
  }

  private swallow(event: Event): void {
    if (!this.justEnded) return;
    this.justEnded = false;
    event.stopPropagation();
  }

  /** Returns the top of the first row on the page and the row height. */
  private geometry(): { readonly top: number; readonly rowHeight: number } | undefined {
    const any = this.target.anyRow();
    if (!any) return undefined;
    const { top, height } = any.element.getBoundingClientRect();
    return { top: top - any.row * height, rowHeight: height };
  }

  private contentY(clientY: number): number | undefined {
    const geometry = this.geometry();
    return geometry === undefined ? undefined : clientY - geometry.top;
  }
}

/** Returns the scroll distance per frame for a pointer near or beyond an edge. */
function scrollingAt(y: number, { top, bottom }: DOMRect): number {
  const above = top + EDGE - y;
  const below = y - (bottom - EDGE);
  if (above > 0) return -Math.min(Math.ceil(above / 2), FASTEST);
  return below > 0 ? Math.min(Math.ceil(below / 2), FASTEST) : 0;
}
