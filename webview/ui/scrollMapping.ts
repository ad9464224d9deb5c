/**
 * The highest element that is drawn exactly, in CSS pixels. Chromium counts in 1/64 of a device pixel up to
 * 2^31 and draws at places of 24 bits: with two or three device pixels to one of CSS, that is about this.
 */
export const MAX_CANVAS = 5_000_000;

/** How many times what is seen one scrolls at once, unless with the scrollbar. */
const SHORT = 4;

/**
 * Maps where the browser has scrolled to onto rows that may be higher in all than what a browser can
 * scroll. Short ways are taken pixel by pixel; long ones, as with the scrollbar, go as far along the rows
 * as along the bar. `lead` is how far both are apart: what is at `top` of the rows is at `top + lead` of
 * the canvas.
 */
export class ScrollMapping {
  private leadNow = 0;

  constructor(private readonly maxCanvas = MAX_CANVAS) {}

  get lead(): number {
    return this.leadNow;
  }

  /** How high the canvas is for rows of this height in all. */
  canvas(total: number): number {
    return Math.min(total, this.maxCanvas);
  }

  /** The top of what is seen, which was at `top`, after the browser scrolled from one place to another. */
  follow(top: number, from: number, to: number, total: number, viewport: number): number {
    const room = Math.max(0, total - viewport);
    const canvasRoom = Math.max(0, this.canvas(total) - viewport);
    const isShort = Math.abs(to - from) <= SHORT * viewport || room === canvasRoom;
    const now = isShort ? top + to - from : (to / canvasRoom) * room;
    const held = Math.min(Math.max(now, 0), room);
    this.leadNow = to - held;
    return held;
  }

  /** Where the browser has to scroll to for this top; what is drawn there moves along. */
  settle(top: number, total: number, viewport: number): number {
    const room = Math.max(0, total - viewport);
    const canvasRoom = Math.max(0, this.canvas(total) - viewport);
    const scrolled = room === canvasRoom ? top : Math.round((top / room) * canvasRoom);
    this.leadNow = scrolled - top;
    return scrolled;
  }

  /** Has the browser stay where it is while the top of what is seen is another, as when rows before it go. */
  hold(top: number, scrolled: number): void {
    this.leadNow = scrolled - top;
  }
}
