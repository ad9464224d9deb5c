import { PerspectiveCamera, Sphere, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { CloudView } from '../data/clouds/cloudViewer';

const FIELD_OF_VIEW = 50;
/**
 * Camera directions from a cloud's center. In the top view, y must point up; the tiny y component
 * ensures this.
 */
const directions: Readonly<Record<CloudView, readonly [number, number, number]>> = {
  whole: [-0.7, -1, 0.8],
  top: [0, -1e-4, 1],
  front: [0, -1, 0],
  side: [1, 0, 0],
};

/** A camera for a cloud. z points up; the camera orbits the cloud's center until the user pans. */
export class CloudCamera {
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW);
  private readonly controls: OrbitControls;
  private sphere = new Sphere(new Vector3(), 1);

  constructor(element: HTMLElement, onChange: () => void) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', onChange);
  }

  /** Sets the bounding sphere around the object to look at. */
  setSubject(sphere: Sphere): void {
    this.sphere = sphere;
    this.controls.minDistance = sphere.radius / 1_000;
    this.controls.maxDistance = sphere.radius * 50;
    this.setView('whole');
  }

  setSize(width: number, height: number): void {
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  setView(view: CloudView): void {
    const { camera, controls, sphere } = this;
    const half = (camera.fov / 2) * (Math.PI / 180);
    const narrowest = Math.min(half, Math.atan(Math.tan(half) * camera.aspect));
    const direction = new Vector3(...directions[view]).normalize();
    controls.target.copy(sphere.center);
    camera.position
      .copy(sphere.center)
      .addScaledVector(direction, sphere.radius / Math.sin(narrowest));
    controls.update();
  }

  orbit(left: number, up: number): void {
    this.controls.rotateLeft(left);
    this.controls.rotateUp(up);
  }

  pan(right: number, down: number): void {
    this.controls.pan(right, down);
  }

  zoom(factor: number): void {
    // `dollyIn` multiplies the distance by its scale parameter, so pass the inverse.
    this.controls.dollyIn(1 / factor);
  }

  /** Sets the near and far planes for the current camera position. */
  fitDepth(): void {
    const { camera, sphere } = this;
    const distance = camera.position.distanceTo(sphere.center);
    camera.near = Math.max(sphere.radius / 10_000, distance - sphere.radius * 3);
    camera.far = distance + sphere.radius * 3;
    camera.updateProjectionMatrix();
  }

  dispose(): void {
    this.controls.dispose();
  }
}
