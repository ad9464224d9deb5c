import type { BufferGeometry } from 'three';
import type { Cloud } from '../data/clouds/cloudViewer';

type Triple = [number, number, number];

/** Collects parsed points into one cloud; skips points without a position. */
export class CloudBuilder {
  private count = 0;
  private seen = 0;
  private readonly positions: Float32Array;
  private readonly colors: Float32Array | undefined;
  private readonly intensities: Float32Array | undefined;
  private readonly low: Triple = [Infinity, Infinity, Infinity];
  private readonly high: Triple = [-Infinity, -Infinity, -Infinity];

  /** @param names field names that the loader uses */
  constructor(capacity: number, names: readonly string[]) {
    this.positions = new Float32Array(capacity * 3);
    if (names.includes('rgb')) this.colors = new Float32Array(capacity * 3);
    if (names.includes('intensity')) this.intensities = new Float32Array(capacity);
  }

  /** Number of added points, including those without a position. */
  get taken(): number {
    return this.seen;
  }

  add(geometry: BufferGeometry): void {
    const coordinates = getAttributeArray(geometry, 'position');
    const colors = getAttributeArray(geometry, 'color');
    const intensities = getAttributeArray(geometry, 'intensity');
    for (let from = 0; from + 2 < coordinates.length; from += 3) {
      this.seen += 1;
      const [x = NaN, y = NaN, z = NaN] = [
        coordinates[from],
        coordinates[from + 1],
        coordinates[from + 2],
      ];
      if (!(Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z))) continue;
      const to = this.count * 3;
      this.positions[to] = x;
      this.positions[to + 1] = y;
      this.positions[to + 2] = z;
      if (this.colors) {
        for (let part = 0; part < 3; part += 1) this.colors[to + part] = colors[from + part] ?? 0;
      }
      if (this.intensities) this.intensities[this.count] = intensities[from / 3] ?? NaN;
      this.widen(x, y, z);
      this.count += 1;
    }
  }

  build(): Cloud {
    const { count, low, high } = this;
    return {
      count,
      positions: this.positions.subarray(0, count * 3),
      colors: this.colors?.subarray(0, count * 3),
      intensities: this.intensities?.subarray(0, count),
      bounds: count > 0 ? { low, high } : undefined,
    };
  }

  private widen(x: number, y: number, z: number): void {
    const { low, high } = this;
    if (x < low[0]) low[0] = x;
    if (x > high[0]) high[0] = x;
    if (y < low[1]) low[1] = y;
    if (y > high[1]) high[1] = y;
    if (z < low[2]) low[2] = z;
    if (z > high[2]) high[2] = z;
  }
}

function getAttributeArray(geometry: BufferGeometry, name: string): ArrayLike<number> {
  return geometry.hasAttribute(name) ? geometry.getAttribute(name).array : [];
}
