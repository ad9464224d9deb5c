import type { Corners } from '../../../src/shared/data/boxes';
import { drawableCorners, type Frame, type Size } from './boxGeometry';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** How far a picture can be enlarged, in device pixels for one of its own. */
const LARGEST = 64;
/** How small it can be made: so many times smaller than it fits. */
const SMALLEST = 4;
/** What stays free around a picture that fits, in CSS pixels. */
const MARGIN = 8;
/** How much of what is seen a box takes that is zoomed to. */
const BOX_PART = 0.6;

/** Where a picture is seen: how large, and which part of it. Lengths are CSS pixels unless said otherwise. */
export class Viewport {
  private view: Size = { width: 1, height: 1 };
  private image: Size = { width: 1, height: 1 };
  /** CSS pixels for a pixel of the image. */
  private scale = 1;
  private center: Point = { x: 0, y: 0 };
  private fits = true;

  /** @param ratio device pixels for a CSS pixel */
  constructor(private ratio = 1) {}

  /** How large the picture is drawn, 1 being a device pixel for each of its own. */
  get zoom(): number {
    return this.scale * this.ratio;
  }

  /** CSS pixels for a pixel of the image. */
  get pixelSize(): number {
    return this.scale;
  }

  get imageSize(): Size {
    return this.image;
  }

  /** Where the whole picture is drawn, also outside of what is seen. */
  get frame(): Frame {
    const { scale, image, view, center } = this;
    const [width, height] = [image.width * scale, image.height * scale];
    const left = view.width / 2 - center.x * scale;
    const top = view.height / 2 - center.y * scale;
    // On whole device pixels, so that pixels of the picture are not smeared over two of them.
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
    else this.settle();
  }

  fit(): void {
    this.scale = this.fitting();
    this.center = { x: this.image.width / 2, y: this.image.height / 2 };
    this.fits = true;
  }

  /** A device pixel for each pixel of the picture. */
  showActualSize(): void {
    this.setScale(1 / this.ratio);
  }

  /** Zooms around a point of the view, or its middle. */
  zoomBy(factor: number, at: Point = { x: this.view.width / 2, y: this.view.height / 2 }): void {
    const before = this.toImage(at);
    this.setScale(this.scale * factor);
    const after = this.toImage(at);
    const { x, y } = this.center;
    this.center = { x: x + before.x - after.x, y: y + before.y - after.y };
    this.settle();
  }

  /** Moves what is seen. @returns false when nothing more is there. */
  pan(x: number, y: number): boolean {
    const before = this.center;
    this.center = { x: before.x + x / this.scale, y: before.y + y / this.scale };
    this.settle();
    return this.center.x !== before.x || this.center.y !== before.y;
  }

  /** Whether there is more of the picture than is seen, across or down. */
  hasMore(direction: 'across' | 'down'): boolean {
    const { frame, view } = this;
    return direction === 'across' ? frame.width > view.width : frame.height > view.height;
  }

  /** Shows a box in the middle, as large as it is well seen. */
  showBox(box: Corners): void {
    const { image, view } = this;
    const { xMin, yMin, xMax, yMax } = drawableCorners(box);
    const width = Math.max((xMax - xMin) * image.width, 1);
    const height = Math.max((yMax - yMin) * image.height, 1);
    this.setScale(Math.min(view.width / width, view.height / height) * BOX_PART);
    this.center = { x: ((xMin + xMax) / 2) * image.width, y: ((yMin + yMax) / 2) * image.height };
    this.settle();
  }

  /** A box in the middle of what is seen, in whole pixels of the image. */
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

  /** The pixel corner of the image that is nearest to a point of the view, in fractions of the image. */
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
    // A small picture is not blown up by itself.
    return Math.min(scale, Math.max(1, 4 / this.ratio));
  }

  private setScale(scale: number): void {
    const smallest = this.fitting() / SMALLEST;
    const largest = Math.max(LARGEST / this.ratio, smallest);
    this.scale = Math.min(Math.max(scale, smallest), largest);
    this.fits = false;
    this.settle();
  }

  /** Keeps the picture in sight: in the middle when all of it is seen, else without a gap beside it. */
  private settle(): void {
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
