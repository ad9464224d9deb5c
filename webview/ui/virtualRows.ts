import { element } from './elements';
import { longestRun } from './longestRun';
import { nearestMovedPlace, RowGeometry, type RowMove } from './rowGeometry';
import { ScrollMapping } from './scrollMapping';

/** What a list does with rows that it draws only as far as they are seen. */
export interface VirtualRowsOptions {
  /** What rows stand in, for screen readers; a group of rows when absent. */
  readonly groupRole?: string;
  /** These are drawn next, from `start` up to `end`: what is needed for it can be fetched. */
  onWindow(start: number, end: number): void;
  /** The element of the row at a place; the same one as long as nothing about the row changes. */
  rowAt(place: number): HTMLElement;
  /** All is drawn as it is now. */
  onDrawn(): void;
  /** Whether the end is followed has changed. */
  onFollowing(following: boolean): void;
  /** A person has scrolled to the start. */
  onStart(): void;
}

export interface RowsChange {
  readonly first: number;
  readonly end: number;
  readonly moves: readonly RowMove[];
  readonly reset: boolean;
}

/** A row's place among what is seen. */
export type Alignment = 'nearest' | 'start' | 'center' | 'end';

/** Scrolling counts as over when nothing was scrolled for so many milliseconds. */
const REST = 150;

/**
 * Rows of which only those near what is seen are in the document. What is read stays where it is when rows
 * come or go elsewhere; when the end is seen, the end is followed. Draws at most once a frame.
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
  /** Where the browser is to scroll to, where it was last, and where the script last sent it. */
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

  /** Whether the newest rows are kept in sight. */
  get following(): boolean {
    return this.follows;
  }

  /** The places of the rows that are seen, also in part. */
  get seen(): { readonly start: number; readonly end: number } {
    const { geometry, top, viewport } = this;
    if (geometry.count === 0) return { start: geometry.first, end: geometry.first };
    return { start: geometry.placeAt(top), end: geometry.placeAt(top + viewport - 1) + 1 };
  }

  /** How many rows fit into what is seen. */
  get rowsPerPage(): number {
    return Math.max(1, Math.floor(this.viewport / this.geometry.rowHeight));
  }

  /** Shows an element, as high as a row, before the first row. */
  setHeader(header: HTMLElement | undefined): void {
    if (this.header === header) return;
    this.header = header;
    this.rearrange(() => (this.geometry.inset = header ? this.geometry.rowHeight : 0));
  }

  /** Takes over that rows have come, gone or moved. */
  change({ first, end, moves, reset }: RowsChange): void {
    this.rearrange(() => {
      if (reset) this.geometry.setRange(first, first);
      else this.geometry.move(moves);
      this.geometry.setRange(first, end);
    }, moves);
  }

  /** Makes a row so many pixels higher than usual. */
  setExtra(place: number, pixels: number): void {
    if (this.geometry.extraOf(place) === pixels) return;
    this.rearrange(() => this.geometry.setExtra(place, pixels));
  }

  /** Draws again, in the next frame. */
  refresh(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.draw();
    });
  }

  scrollToEnd(): void {
    this.setFollowing(true);
    this.refresh();
  }

  /** Stays where it is, even when that is at the end. */
  stay(): void {
    this.setFollowing(false);
  }

  /** Brings a row into sight, and stays there. */
  scrollTo(place: number, alignment: Alignment): void {
    const { geometry, viewport } = this;
    const [start, height] = [geometry.topOf(place), geometry.heightOf(place)];
    const last = start + height - viewport;
    const nearest = Math.min(Math.max(this.top, last), start);
    const tops = { start, end: last, center: (start + last) / 2, nearest };
    this.setFollowing(false);
    this.top = Math.min(Math.max(tops[alignment], 0), this.room());
    this.settle();
    this.refresh();
  }

  private room(): number {
    return Math.max(0, this.geometry.total - this.viewport);
  }

  /** Changes where rows are and keeps the row that is read where it is. */
  private rearrange(arrange: () => void, moves: readonly RowMove[] = []): void {
    const { geometry } = this;
    const read = geometry.count > 0 ? geometry.placeAt(this.top) : geometry.first;
    const within = this.top - geometry.topOf(read);
    const canvas = this.mapping.canvas(geometry.total);
    arrange();
    const now = Math.min(Math.max(nearestMovedPlace(read, moves), geometry.first), geometry.end);
    const top = this.follows ? this.room() : geometry.topOf(now) + within;
    this.top = Math.min(Math.max(top, 0), this.room());
    const shrinks = this.mapping.canvas(geometry.total) < canvas;
    // Scrolling by script would end the scrolling that is under way.
    if (this.rest === undefined || this.follows || shrinks) this.settle();
    else this.mapping.hold(this.top, this.scrolled);
    this.refresh();
  }

  private settle(): void {
    clearTimeout(this.rest);
    this.rest = undefined;
    this.scrolled = this.mapping.settle(this.top, this.geometry.total, this.viewport);
  }

  private draw(): void {
    const { geometry, mapping, viewport } = this;
    if (this.follows) {
      this.top = this.room();
      this.settle();
    }
    const seen = this.seen;
    // While the end is followed all rows change again and again, and nobody scrolls.
    const spare = this.follows ? 2 : Math.ceil(viewport / geometry.rowHeight / 2);
    const start = Math.max(seen.start - spare, geometry.first);
    const end = Math.min(seen.end + spare, geometry.end);
    this.options.onWindow(start, end);
    const header = start === geometry.first ? this.header : undefined;
    this.fill(start, end, header);
    const top = geometry.topOf(start) - (header ? geometry.inset : 0);
    this.place(mapping.canvas(geometry.total), top + mapping.lead);
    if (this.rest === undefined) this.scrollBrowser();
    this.options.onDrawn();
  }

  /** Browsers round what they tell of large numbers, so that these are compared here. */
  private place(height: number, top: number): void {
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

  /** Puts the rows' elements in order, and moves as few of those that are there as possible. */
  private fill(start: number, end: number, header: HTMLElement | undefined): void {
    const wanted: Element[] = header ? [header] : [];
    for (let place = start; place < end; place += 1) wanted.push(this.options.rowAt(place));
    const kept = new Set(wanted);
    for (const row of [...this.layer.children]) if (!kept.has(row)) row.remove();
    const places = new Map([...this.layer.children].map((row, place) => [row, place]));
    const there = wanted.filter((row) => places.has(row));
    const staying = longestRun(there.map((row) => places.get(row) ?? 0));
    const unmoved = new Set(there.filter((_, index) => staying.has(index)));
    let next: Element | null = null;
    for (const row of wanted.toReversed()) {
      if (!unmoved.has(row)) this.layer.insertBefore(row, next);
      next = row;
    }
  }

  private scrollSeen(): void {
    // The browser scrolled a list whose end is followed, because it is higher than before: no person did.
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
    this.top = this.mapping.follow(this.top, from, to, geometry.total, viewport);
    this.scrolled = to;
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.scrollRested(), REST);
    const room = this.room();
    this.setFollowing(this.top >= room - 1);
    const canvasRoom = Math.max(0, this.mapping.canvas(geometry.total) - viewport);
    // The browser is at an end of the canvas and the rows go on.
    if ((to < 1 && this.top > 0) || (to > canvasRoom - 1 && this.top < room)) this.settle();
    if (this.top <= geometry.inset) this.options.onStart();
    this.refresh();
  }

  private scrollRested(): void {
    this.settle();
    this.refresh();
  }

  private wheelTurned({ deltaY }: WheelEvent): void {
    if (deltaY < 0 && this.room() > 0) this.setFollowing(false);
  }

  private setFollowing(following: boolean): void {
    if (this.follows === following) return;
    this.follows = following;
    this.options.onFollowing(following);
  }

  private measure(): void {
    const { probe } = this;
    // What is not shown has no sizes, and is to be found again where it was.
    if (probe.offsetHeight === 0) return;
    // The browser scrolls it when it becomes higher: the event that comes next is no person's.
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
