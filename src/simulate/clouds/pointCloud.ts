/**
 * A set of points with a value for each field: `x`, `y`, and `z` in meters, and other measurements.
 */
export interface PointCloud {
  count: number;
  fields: readonly { name: string; values: Float32Array | Uint32Array }[];
}

/** Additional information about a point: its color, or the strength of its reflection. */
export type PointDetail = 'rgb' | 'intensity';

const MAX_INTENSITY = 255;

/** Collects points in a cloud up to a maximum number. */
export class PointCloudBuilder {
  private count = 0;
  private readonly x: Float32Array;
  private readonly y: Float32Array;
  private readonly z: Float32Array;
  private readonly detail: Float32Array | Uint32Array;

  constructor(
    capacity: number,
    private readonly kind: PointDetail,
  ) {
    this.x = new Float32Array(capacity);
    this.y = new Float32Array(capacity);
    this.z = new Float32Array(capacity);
    this.detail = kind === 'rgb' ? new Uint32Array(capacity) : new Float32Array(capacity);
  }

  /**
   * @param color red, green, and blue from 0 to 255. The brightness of the color is the intensity.
   */
  add(
    x: number,
    y: number,
    z: number,
    [red, green, blue]: readonly [number, number, number],
  ): void {
    const { count } = this;
    this.x[count] = x;
    this.y[count] = y;
    this.z[count] = z;
    this.detail[count] =
      this.kind === 'rgb'
        ? (Math.round(red) << 16) | (Math.round(green) << 8) | Math.round(blue)
        : Math.round((red + green + blue) / 3) / MAX_INTENSITY;
    this.count += 1;
  }

  build(): PointCloud {
    const { count } = this;
    return {
      count,
      fields: [
        { name: 'x', values: this.x.subarray(0, count) },
        { name: 'y', values: this.y.subarray(0, count) },
        { name: 'z', values: this.z.subarray(0, count) },
        { name: this.kind, values: this.detail.subarray(0, count) },
      ],
    };
  }
}
