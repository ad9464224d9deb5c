import type { PlaceRange } from '../../../src/shared/data/items';
import { element } from '../../ui/elements';
import { bandRanges } from './bandRanges';
import type { PlaceRanges } from './placeRanges';

/** The pointer has to go so many pixels before a band is drawn. */
const SLACK = 5;
/** So near an edge the list scrolls, in pixels, and at most so many of them in a frame. */
const EDGE = 36;
const FASTEST = 30;

export interface BandTarget {
  /** What scrolls; the band is drawn over its parent. */
  readonly scroller: HTMLElement;
  readonly columns: number;
  readonly count: number;
  /** A row that is drawn, from which all others are known. */
  anyRow(): { readonly row: number; readonly element: HTMLElement } | undefined;
  /** What is selected when a band begins, and stays when `keep`. */
  began(keep: boolean): PlaceRanges;
  select(ranges: readonly PlaceRange[], kept: PlaceRanges): void;
  ended(): void;
}

interface Band {
  readonly pointer: number;
  /** Where it began: from the left, and from the start of all rows. */
  readonly from: { readonly x: number; readonly y: number };
  readonly kept: PlaceRanges;
}

/** Selects what a rectangle touches that is drawn with the mouse, scrolling at the edges. */
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
    // The click that ends a band means no cell.
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
    const kept = this.target.began(pressed.ctrlKey || pressed.metaKey);
    this.band = { pointer: pressed.pointerId, from: { x, y }, kept };
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
      ...{ left: Math.min(x, from.x), right: Math.max(x, from.x) },
      ...{ top: Math.min(y, from.y), bottom: Math.max(y, from.y) },
    };
    this.place(rectangle, geometry.top - box.top, box.height);
    const sizes = { width: scroller.clientWidth / columns, height: geometry.rowHeight };
    target.select(bandRanges(rectangle, sizes, columns, count), band.kept);
    if (by !== 0) this.frame = requestAnimationFrame(() => this.draw());
  }

  private place(
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

  /** Where all rows begin on the page, and how high one is. */
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

/** How far to scroll in one frame for a pointer at or beyond an edge. */
function scrollingAt(y: number, { top, bottom }: DOMRect): number {
  const above = top + EDGE - y;
  const below = y - (bottom - EDGE);
  if (above > 0) return -Math.min(Math.ceil(above / 2), FASTEST);
  return below > 0 ? Math.min(Math.ceil(below / 2), FASTEST) : 0;
}
