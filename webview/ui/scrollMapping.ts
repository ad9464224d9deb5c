/**
 * Maximum height, in CSS pixels, of an element that the browser draws exactly. Chromium stores
 * positions in units of 1/64 device pixel, up to 2^31, and draws with 24 bits of precision. With
 * two or three device pixels per CSS pixel, this is roughly the limit.
 */
export const MAX_CANVAS = 5_000_000;

/** Maximum distance, in viewport heights, of a scroll step that isn't made with the scrollbar. */
const SHORT = 4;

/**
 * Maps the browser's scroll position to rows whose total height can exceed the browser's maximum.
 * Short distances are mapped pixel by pixel; long distances, such as drags of the scrollbar, are
 * mapped in proportion to the height. `lead` is the difference between the two positions: the row
 * position `top` corresponds to the canvas position `top + lead`.
 */
export class ScrollMapping {
  private leadNow = 0;

  constructor(private readonly maxCanvas = MAX_CANVAS) {}

  get lead(): number {
    return this.leadNow;
  }

  /** Returns the canvas height for a total row height. */
  canvas(total: number): number {
    return Math.min(total, this.maxCanvas);
  }

  /**
   * Returns the top of the viewport after the browser scrolled from one position to another; `top`
   * is the previous top.
   */
  getTopAfterScroll(
    top: number,
    from: number,
    to: number,
    total: number,
    viewport: number,
  ): number {
    const room = Math.max(0, total - viewport);
    const canvasRoom = Math.max(0, this.canvas(total) - viewport);
    const isShort = Math.abs(to - from) <= SHORT * viewport || room === canvasRoom;
    const now = isShort ? top + to - from : (to / canvasRoom) * room;
    const clamped = Math.min(Math.max(now, 0), room);
    this.leadNow = to - clamped;
    return clamped;
  }

  /**
   * Returns the position to which the browser must scroll to show a given top; moves the drawn
   * content accordingly.
   */
  toScrollOffset(top: number, total: number, viewport: number): number {
    const room = Math.max(0, total - viewport);
    const canvasRoom = Math.max(0, this.canvas(total) - viewport);
    const scrolled = room === canvasRoom ? top : Math.round((top / room) * canvasRoom);
    this.leadNow = scrolled - top;
    return scrolled;
  }

  /**
   * Keeps the browser's scroll position while the top of the viewport changes, for example when
   * rows before it are removed.
   */
  keepScrollOffset(top: number, scrolled: number): void {
    this.leadNow = scrolled - top;
  }
}
