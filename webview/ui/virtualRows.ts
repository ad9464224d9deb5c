import { element } from './elements';
import {
  longestRun,
  RowGeometry,
  type RowMove,
  ScrollMapping,
  toNearestMovedIndex,
} from './rowGeometry';

/** Callbacks for a list that draws only its visible rows. */
export interface VirtualRowsOptions {
  /** ARIA role of the rows' container; `rowgroup` if absent. */
  readonly groupRole?: string;
  /**
   * Called before rows are drawn, with their range from `start` up to but not including `end`, so
   * that their data can be fetched.
   */
  onWindow(start: number, end: number): void;
  /**
   * Returns the element for the row at an index. Must return the same element until the row
   * changes.
   */
  rowAt(index: number): HTMLElement;
  /** Called when drawing is complete. */
  onDrawn(): void;
  /** Called when the list starts or stops following its end. */
  onFollowing(following: boolean): void;
  /** Called when the user scrolls to the start. */
  onStart(): void;
}

export interface RowsChange {
  readonly first: number;
  readonly end: number;
  readonly moves: readonly RowMove[];
  readonly reset: boolean;
}

/** Position in the viewport to which a row is scrolled. */
export type Alignment = 'nearest' | 'start' | 'center' | 'end';

/** Time in milliseconds without a scroll event after which scrolling counts as finished. */
const DEBOUNCE_MS = 150;

/**
 * A virtualized list. Only the rows near the viewport are in the document. The visible rows keep
 * their position when rows are added or removed elsewhere. While the end is visible, the list
 * follows it. Draws at most once per frame.
 */
export class VirtualRows {
  readonly element: HTMLElement;
  private readonly canvas = element('div', { class: 'virtual-canvas', role: 'presentation' });
  private readonly probe = element('div', { class: 'virtual-probe' });
  private readonly layer: HTMLElement;
  private readonly geometry = new RowGeometry(1);
  private readonly mapping = new ScrollMapping();
  private height = 0;
  private layerTop = 0;
  private top = 0;
  /**
   * `scrolled` is the intended scroll position, `lastScroll` is the browser's last scroll position,
   * and `sentTo` is the last scroll position that the script set.
   */
  private scrolled = 0;
  private lastScroll = 0;
  private sentTo = 0;
  private viewport = 0;
  private follows = true;
  private header: HTMLElement | undefined;
  private frame: number | undefined;
  private rest: ReturnType<typeof setTimeout> | undefined;

  constructor(
    attributes: Readonly<Record<string, string>>,
    private readonly options: VirtualRowsOptions,
  ) {
    const { groupRole = 'rowgroup' } = options;
    this.layer = element('div', { class: 'virtual-rows', role: groupRole });
    this.canvas.append(this.probe, this.layer);
    this.element = element('div', { ...attributes, tabindex: '0' }, this.canvas);
    this.element.classList.add('virtual-scroller');
    this.element.addEventListener('scroll', () => this.scrollSeen(), { passive: true });
    this.element.addEventListener('wheel', (event) => this.wheelTurned(event), { passive: true });
    const sizes = new ResizeObserver(() => this.measure());
    sizes.observe(this.element);
    sizes.observe(this.probe);
  }

  /** True while the list follows its end. */
  get following(): boolean {
    return this.follows;
  }

  /** Range of the rows that are at least partly visible. */
  get seen(): { readonly start: number; readonly end: number } {
    const { geometry, top, viewport } = this;
    if (geometry.count === 0) return { start: geometry.first, end: geometry.first };
    return { start: geometry.findRowAt(top), end: geometry.findRowAt(top + viewport - 1) + 1 };
  }

  /** Number of rows that fit into the viewport. */
  get rowsPerPage(): number {
    return Math.max(1, Math.floor(this.viewport / this.geometry.rowHeight));
  }

  /** Shows an element before the first row. The element is one row high. */
  setHeader(header: HTMLElement | undefined): void {
    if (this.header === header) return;
    this.header = header;
    this.rearrange(() => (this.geometry.inset = header ? this.geometry.rowHeight : 0));
  }

  /** Applies inserted, removed, and moved rows. */
  change({ first, end, moves, reset }: RowsChange): void {
    this.rearrange(() => {
      if (reset) this.geometry.setRange(first, first);
      else this.geometry.move(moves);
      this.geometry.setRange(first, end);
    }, moves);
  }

  /** Sets a row's extra height in pixels. */
  setExtra(index: number, pixels: number): void {
    if (this.geometry.getExtraHeight(index) === pixels) return;
    this.rearrange(() => this.geometry.setExtra(index, pixels));
  }

  /** Redraws in the next frame. */
  refresh(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.draw();
    });
  }

  scrollToEnd(): void {
    this.setTailing(true);
    this.refresh();
  }

  /** Stops following the end, even if the list is scrolled to it. */
  stay(): void {
    this.setTailing(false);
  }

  /** Scrolls a row into view and stops following the end. */
  scrollTo(index: number, alignment: Alignment): void {
    const { geometry, viewport } = this;
    const [start, height] = [geometry.getRowTop(index), geometry.getRowHeight(index)];
    const last = start + height - viewport;
    const nearest = Math.min(Math.max(this.top, last), start);
    const tops = { start, end: last, center: (start + last) / 2, nearest };
    this.setTailing(false);
    this.top = Math.min(Math.max(tops[alignment], 0), this.room());
    this.syncScroll();
    this.refresh();
  }

  private room(): number {
    return Math.max(0, this.geometry.total - this.viewport);
  }

  /** Changes the row layout while preserving the first visible row's position on the screen. */
  private rearrange(arrange: () => void, moves: readonly RowMove[] = []): void {
    const { geometry } = this;
    const read = geometry.count > 0 ? geometry.findRowAt(this.top) : geometry.first;
    const within = this.top - geometry.getRowTop(read);
    const canvas = this.mapping.canvas(geometry.total);
    arrange();
    const now = Math.min(Math.max(toNearestMovedIndex(read, moves), geometry.first), geometry.end);
    const top = this.follows ? this.room() : geometry.getRowTop(now) + within;
    this.top = Math.min(Math.max(top, 0), this.room());
    const shrinks = this.mapping.canvas(geometry.total) < canvas;
    // Setting the scroll position would interrupt the user's ongoing scrolling.
    if (this.rest === undefined || this.follows || shrinks) this.syncScroll();
    else this.mapping.preserveScrollOffset(this.top, this.scrolled);
    this.refresh();
  }

  private syncScroll(): void {
    clearTimeout(this.rest);
    this.rest = undefined;
    this.scrolled = this.mapping.toScrollOffset(this.top, this.geometry.total, this.viewport);
  }

  private draw(): void {
    const { geometry, mapping, viewport } = this;
    if (this.follows) {
      this.top = this.room();
      this.syncScroll();
    }
    const seen = this.seen;
    // While the list follows its end, all rows change frequently and the user doesn't scroll, so
    // fewer spare rows are drawn.
    const spare = this.follows ? 2 : Math.ceil(viewport / geometry.rowHeight / 2);
    const start = Math.max(seen.start - spare, geometry.first);
    const end = Math.min(seen.end + spare, geometry.end);
    this.options.onWindow(start, end);
    const header = start === geometry.first ? this.header : undefined;
    this.fill(start, end, header);
    const top = geometry.getRowTop(start) - (header ? geometry.inset : 0);
    this.layOut(mapping.canvas(geometry.total), top + mapping.lead);
    if (this.rest === undefined) this.scrollBrowser();
    this.options.onDrawn();
  }

  /**
   * Sets the height and offset of the rows. Compares them with cached values because browsers round
   * large numbers when a style is read back.
   */
  private layOut(height: number, top: number): void {
    if (this.height !== height) this.canvas.style.height = `${height}px`;
    if (this.layerTop !== top) this.layer.style.transform = `translateY(${top}px)`;
    this.height = height;
    this.layerTop = top;
  }

  private scrollBrowser(): void {
    if (Math.abs(this.element.scrollTop - this.scrolled) < 1) return;
    this.sentTo = this.scrolled;
    this.element.scrollTop = this.scrolled;
    this.lastScroll = this.element.scrollTop;
  }

  /** Arranges the row elements in order, moving as few existing elements as possible. */
  private fill(start: number, end: number, header: HTMLElement | undefined): void {
    const elements: Element[] = header ? [header] : [];
    for (let place = start; place < end; place += 1) elements.push(this.options.rowAt(place));
    const elementSet = new Set(elements);
    for (const row of [...this.layer.children]) if (!elementSet.has(row)) row.remove();
    const currentIndexes = new Map([...this.layer.children].map((row, place) => [row, place]));
    const there = elements.filter((row) => currentIndexes.has(row));
    const staying = longestRun(there.map((row) => currentIndexes.get(row) ?? 0));
    const unmoved = new Set(there.filter((_, index) => staying.has(index)));
    let next: Element | null = null;
    for (const row of elements.toReversed()) {
      if (!unmoved.has(row)) this.layer.insertBefore(row, next);
      next = row;
    }
  }

  private scrollSeen(): void {
    // The browser, not the user, scrolled the list, because the list became taller while following
    // its end.
    if (this.follows && this.element.clientHeight !== this.viewport) {
      this.measure();
      return;
    }
    const to = this.element.scrollTop;
    const from = this.lastScroll;
    this.lastScroll = to;
    if (Math.abs(to - this.sentTo) < 1) return;
    this.sentTo = NaN;
    const { geometry, viewport } = this;
    this.top = this.mapping.getTopAfterScroll(this.top, from, to, geometry.total, viewport);
    this.scrolled = to;
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.scrollRested(), DEBOUNCE_MS);
    const room = this.room();
    this.setTailing(this.top >= room - 1);
    const canvasRoom = Math.max(0, this.mapping.canvas(geometry.total) - viewport);
    // The browser reached an end of the canvas, but more rows exist beyond it.
    if ((to < 1 && this.top > 0) || (to > canvasRoom - 1 && this.top < room)) this.syncScroll();
    if (this.top <= geometry.inset) this.options.onStart();
    this.refresh();
  }

  private scrollRested(): void {
    this.syncScroll();
    this.refresh();
  }

  private wheelTurned({ deltaY }: WheelEvent): void {
    if (deltaY < 0 && this.room() > 0) this.setTailing(false);
  }

  private setTailing(following: boolean): void {
    if (this.follows === following) return;
    this.follows = following;
    this.options.onFollowing(following);
  }

  private measure(): void {
    const { probe } = this;
    // A hidden element has no size. Keep the scroll position until the list is visible again.
    if (probe.offsetHeight === 0) return;
    // When the list becomes taller, the browser scrolls it, so the user didn't cause the next
    // scroll event.
    if (this.follows && this.element.clientHeight !== this.viewport) {
      this.lastScroll = this.element.scrollTop;
      this.sentTo = this.lastScroll;
    }
    this.rearrange(() => {
      this.viewport = this.element.clientHeight;
      this.geometry.rowHeight = probe.offsetHeight;
      this.geometry.inset = this.header ? this.geometry.rowHeight : 0;
    });
  }
}
