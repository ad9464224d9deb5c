import type { Random } from '../random';

export type Color = readonly [red: number, green: number, blue: number];
export type Point = readonly [x: number, y: number];

const CHANNELS = 4;
const OPAQUE = 255;

/** An image of red, green, blue, and alpha bytes, with drawing operations for scenes. */
export class Canvas {
  readonly pixels: Buffer;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.pixels = Buffer.alloc(width * height * CHANNELS, OPAQUE);
  }

  /**
   * Fills the rows from `top` to `bottom` (exclusive) with a linear gradient between two colors.
   */
  gradient(top: number, bottom: number, from: Color, to: Color): void {
    for (let row = Math.round(top); row < Math.round(bottom); row += 1) {
      this.span(row, 0, this.width, mix(from, to, (row - top) / (bottom - top)));
    }
  }

  rectangle(left: number, top: number, right: number, bottom: number, color: Color): void {
    for (let row = Math.round(top); row < Math.round(bottom); row += 1) {
      this.span(row, left, right, color);
    }
  }

  ellipse(left: number, top: number, right: number, bottom: number, color: Color): void {
    const [centerX, centerY] = [(left + right) / 2, (top + bottom) / 2];
    const [radiusX, radiusY] = [(right - left) / 2, (bottom - top) / 2];
    for (let row = Math.round(top); row < Math.round(bottom); row += 1) {
      const away = (row + 0.5 - centerY) / radiusY;
      const half = radiusX * Math.sqrt(Math.max(0, 1 - away * away));
      this.span(row, centerX - half, centerX + half, color);
    }
  }

  /** Fills a convex polygon. */
  polygon(points: readonly Point[], color: Color): void {
    const rows = points.map(([, y]) => y);
    const bottom = Math.round(Math.max(...rows));
    for (let row = Math.round(Math.min(...rows)); row < bottom; row += 1) {
      const crossings = findCrossings(points, row + 0.5);
      if (crossings.length > 0) {
        this.span(row, Math.min(...crossings), Math.max(...crossings), color);
      }
    }
  }

  /** Adds camera noise, which makes every pixel slightly brighter or darker. */
  grain(random: Random, strength: number): void {
    const { pixels } = this;
    for (let at = 0; at < pixels.length; at += CHANNELS) {
      const shift = (random.next() - 0.5) * 2 * strength;
      for (let channel = at; channel < at + CHANNELS - 1; channel += 1) {
        pixels[channel] = clamped((pixels[channel] ?? 0) + shift);
      }
    }
  }

  private span(row: number, left: number, right: number, [red, green, blue]: Color): void {
    if (row < 0 || row >= this.height) return;
    const last = Math.min(this.width, Math.round(right));
    for (let column = Math.max(0, Math.round(left)); column < last; column += 1) {
      const at = (row * this.width + column) * CHANNELS;
      this.pixels[at] = red;
      this.pixels[at + 1] = green;
      this.pixels[at + 2] = blue;
    }
  }
}

/** Lightens a color if the factor is above 1, and darkens it if the factor is below 1. */
export function shade([red, green, blue]: Color, factor: number): Color {
  return [clamped(red * factor), clamped(green * factor), clamped(blue * factor)];
}

function mix([red, green, blue]: Color, to: Color, share: number): Color {
  return [
    red + (to[0] - red) * share,
    green + (to[1] - green) * share,
    blue + (to[2] - blue) * share,
  ];
}

function clamped(channel: number): number {
  return Math.max(0, Math.min(OPAQUE, Math.round(channel)));
}

/** Returns the x positions at which a shape's edges cross a row. */
function findCrossings(points: readonly Point[], row: number): number[] {
  return points.flatMap(([x, y], index) => {
    const [nextX, nextY] = points[(index + 1) % points.length] ?? [x, y];
    const isCrossing = y <= row !== nextY <= row;
    return isCrossing ? [x + ((row - y) / (nextY - y)) * (nextX - x)] : [];
  });
}
