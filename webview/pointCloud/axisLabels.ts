import { type Camera, Vector3 } from 'three';

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
