import { inSlices } from '../../../../base/slices';
import { stableOrder } from '../../../data/tables/stableOrder';
import type { Points } from '../../../data/tables/thinOut';

/** Points of one line, bar group, or scatter series, in order of appearance. */
export class ChartPoints {
  private readonly x: number[] = [];
  private readonly y: number[] = [];
  private isInOrder = true;

  constructor(readonly name: string) {}

  get count(): number {
    return this.x.length;
  }

  add(x: number, y: number): void {
    if (x < (this.x.at(-1) ?? -Infinity)) this.isInOrder = false;
    this.x.push(x);
    this.y.push(y);
  }

  /**
   * Returns all points in ascending order of `x`. @param getPosition maps the number of a label to its
   * position; specified only if the values of `x` are labels
   */
  async inOrder(signal: AbortSignal, getPosition?: (x: number) => number): Promise<Points> {
    const x = getPosition ? this.x.map(getPosition) : this.x;
    if (this.isInOrder && !getPosition) return { x, y: this.y };
    const steps = stableOrder(x.length, (a, b) => (x[a] ?? 0) - (x[b] ?? 0));
    const order = await inSlices(steps, signal);
    return { x: inThatOrder(x, order), y: inThatOrder(this.y, order) };
  }
}

function inThatOrder(values: readonly number[], order: Uint32Array): Float64Array {
  const ordered = new Float64Array(order.length);
  for (let at = 0; at < order.length; at += 1) ordered[at] = values[order[at] ?? 0] ?? 0;
  return ordered;
}
