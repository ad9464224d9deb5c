import { AxesHelper, type Camera, GridHelper, Group, Vector3 } from 'three';

/** Approximate number of lines across a cloud. */
const LINES = 10;
const GRAY = 0x808080;

/**
 * A grid below a cloud, with axes at one corner. The distance between grid lines is a round number
 * of meters.
 */
export class GroundGrid {
  readonly object = new Group();
  /** Distance between grid lines in meters. */
  readonly step: number;
  /** Origin of the axes; `length` is their length. */
  readonly origin: Vector3;
  readonly axisLength: number;
  private readonly grid: GridHelper;
  private readonly axes: AxesHelper;

  constructor(low: Vector3, high: Vector3) {
    const widest = Math.max(high.x - low.x, high.y - low.y, 1e-6);
    this.step = roundStep(widest / LINES);
    const lines = Math.ceil(widest / this.step) + 2;
    const size = lines * this.step;
    this.origin = low.clone();
    this.origin.x = Math.floor(low.x / this.step) * this.step;
    this.origin.y = Math.floor(low.y / this.step) * this.step;
    this.axisLength = this.step * 2;
    this.grid = new GridHelper(size, lines, GRAY, GRAY);
    // Rotate the grid, because three.js grids assume that y points up.
    this.grid.rotation.x = Math.PI / 2;
    this.grid.position.set(this.origin.x + size / 2, this.origin.y + size / 2, this.origin.z);
    this.grid.material.transparent = true;
    this.grid.material.opacity = 0.4;
    this.axes = new AxesHelper(this.axisLength);
    this.axes.position.copy(this.origin);
    this.object.add(this.grid, this.axes);
  }

  dispose(): void {
    this.grid.dispose();
    this.axes.dispose();
  }
}

/**
 * Returns the smallest number in the series 1, 2, 5, 10, 20, and so on that is at least `least`.
 */
function roundStep(least: number): number {
  const decade = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5].find((one) => one * decade >= least) ?? 10;
  return factor * decade;
}

const names = ['x', 'y', 'z'] as const;

/** The axis names at the ends of the axes, as text over the image. */
export class AxisLabels {
  readonly element = document.createElement('div');
  private readonly labels = names.map((name) => {
    const label = document.createElement('span');
    label.className = 'axis-label';
    label.textContent = name;
    return label;
  });

  constructor() {
    this.element.className = 'axis-labels';
    this.element.setAttribute('aria-hidden', 'true');
    this.element.append(...this.labels);
  }

  /** Positions the labels where the ends of the axes appear in the camera's view. */
  updatePositions(
    camera: Camera,
    origin: Vector3,
    length: number,
    width: number,
    height: number,
  ): void {
    const end = new Vector3();
    this.labels.forEach((label, axis) => {
      end.copy(origin).setComponent(axis, origin.getComponent(axis) + length * 1.1);
      end.project(camera);
      label.hidden = end.z > 1 || Math.abs(end.x) > 1 || Math.abs(end.y) > 1;
      const [left, top] = [((end.x + 1) / 2) * width, ((1 - end.y) / 2) * height];
      label.style.transform = `translate(${left}px, ${top}px) translate(-50%, -50%)`;
    });
  }
}
