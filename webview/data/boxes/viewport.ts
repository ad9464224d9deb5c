import type { Corners } from '../../../src/shared/data/boxes';
import { drawableCorners, type Frame, type Size } from './boxGeometry';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Maximum zoom, in device pixels per image pixel. */
const MAX_SCALE = 64;
/** Minimum zoom, as a divisor of the zoom at which the image fits. */
const MIN_FRACTION = 4;
/** Margin around an image that is fitted to the viewport, in CSS pixels. */
const MARGIN = 8;
/** Fraction of the viewport that a box fills after the user zooms to it. */
const BOX_PART = 0.6;

/**
 * The visible part of an image and its scale. Lengths are in CSS pixels unless specified otherwise.
 */
export class Viewport {
  private view: Size = { width: 1, height: 1 };
  private image: Size = { width: 1, height: 1 };
  /** CSS pixels per image pixel. */
  private scale = 1;
  private center: Point = { x: 0, y: 0 };
  private fits = true;

  /** @param ratio device pixels per CSS pixel */
  constructor(private ratio = 1) {}

  /** The zoom; 1 means one device pixel per image pixel. */
  get zoom(): number {
    return this.scale * this.ratio;
  }

  /** CSS pixels per image pixel. */
  get pixelSize(): number {
    return this.scale;
  }

  get imageSize(): Size {
    return this.image;
  }

  /** Position and size of the whole image, including its invisible parts. */
  get frame(): Frame {
    const { scale, image, view, center } = this;
    const [width, height] = [image.width * scale, image.height * scale];
    const left = view.width / 2 - center.x * scale;
    const top = view.height / 2 - center.y * scale;
    // Align to device pixels, so that the image isn't blurred.
    return { x: this.whole(left), y: this.whole(top), width, height };
  }

  setImage(image: Size): void {
    this.image = image;
    this.fit();
  }

  setView(view: Size, ratio: number): void {
    this.view = { width: Math.max(1, view.width), height: Math.max(1, view.height) };
    this.ratio = ratio;
    if (this.fits) this.fit();
    else this.clampCenter();
  }

  fit(): void {
    this.scale = this.fitting();
    this.center = { x: this.image.width / 2, y: this.image.height / 2 };
    this.fits = true;
  }

  /** Sets the zoom to one device pixel per image pixel. */
  showActualSize(): void {
    this.setScale(1 / this.ratio);
  }

  /** Zooms around a point in the viewport; by default, around its center. */
  zoomBy(factor: number, at: Point = { x: this.view.width / 2, y: this.view.height / 2 }): void {
    const before = this.toImage(at);
    this.setScale(this.scale * factor);
    const after = this.toImage(at);
    const { x, y } = this.center;
    this.center = { x: x + before.x - after.x, y: y + before.y - after.y };
    this.clampCenter();
  }

  /**
   * Pans the view.
   * @returns false if the view is already at the edge.
   */
  pan(x: number, y: number): boolean {
    const before = this.center;
    this.center = { x: before.x + x / this.scale, y: before.y + y / this.scale };
    this.clampCenter();
    return this.center.x !== before.x || this.center.y !== before.y;
  }

  /** Returns true if the image is larger than the viewport, horizontally or vertically. */
  hasMore(direction: 'across' | 'down'): boolean {
    const { frame, view } = this;
    return direction === 'across' ? frame.width > view.width : frame.height > view.height;
  }

  /** Centers a box and zooms to it. */
  showBox(box: Corners): void {
    const { image, view } = this;
    const { xMin, yMin, xMax, yMax } = drawableCorners(box);
    const width = Math.max((xMax - xMin) * image.width, 1);
    const height = Math.max((yMax - yMin) * image.height, 1);
    this.setScale(Math.min(view.width / width, view.height / height) * BOX_PART);
    this.center = { x: ((xMin + xMax) / 2) * image.width, y: ((yMin + yMax) / 2) * image.height };
    this.clampCenter();
  }

  /** Returns a box in the center of the viewport, with its corners on whole image pixels. */
  middle(): Corners {
    const { view, image } = this;
    const from = this.toImage({ x: 0, y: 0 });
    const to = this.toImage({ x: view.width, y: view.height });
    const side = (low: number, high: number, size: number): readonly [number, number] => {
      const [start, end] = [Math.max(0, low), Math.min(size, high)];
      const length = Math.max(1, Math.round((end - start) / 4));
      const first = Math.min(Math.round((start + end - length) / 2), size - length);
      return [first / size, (first + length) / size];
    };
    const [xMin, xMax] = side(from.x, to.x, image.width);
    const [yMin, yMax] = side(from.y, to.y, image.height);
    return { xMin, yMin, xMax, yMax };
  }

  /**
   * Returns the corner of the image pixel that is nearest to a point in the viewport, as fractions
   * of the image size.
   */
  fractionAt(point: Point): Point {
    const { image } = this;
    const { x, y } = this.toImage(point);
    const part = (pixel: number, size: number): number =>
      Math.min(Math.max(Math.round(pixel), 0), size) / size;
    return { x: part(x, image.width), y: part(y, image.height) };
  }

  private toImage({ x, y }: Point): Point {
    const { frame, scale } = this;
    return { x: (x - frame.x) / scale, y: (y - frame.y) / scale };
  }

  private fitting(): number {
    const { view, image } = this;
    const room = (length: number): number => Math.max(1, length - 2 * MARGIN);
    const scale = Math.min(room(view.width) / image.width, room(view.height) / image.height);
    // Limit automatic enlargement of small images.
    return Math.min(scale, Math.max(1, 4 / this.ratio));
  }

  private setScale(scale: number): void {
    const smallest = this.fitting() / MIN_FRACTION;
    const largest = Math.max(MAX_SCALE / this.ratio, smallest);
    this.scale = Math.min(Math.max(scale, smallest), largest);
    this.fits = false;
    this.clampCenter();
  }

  /**
   * Keeps the image in view: centered if it fits entirely, otherwise without a gap at the edges.
   */
  private clampCenter(): void {
    const { scale, view, image } = this;
    const side = (center: number, size: number, seen: number): number => {
      const half = seen / scale / 2;
      return half * 2 >= size ? size / 2 : Math.min(Math.max(center, half), size - half);
    };
    this.center = {
      x: side(this.center.x, image.width, view.width),
      y: side(this.center.y, image.height, view.height),
    };
  }

  private whole(length: number): number {
    return Math.round(length * this.ratio) / this.ratio;
  }
}
