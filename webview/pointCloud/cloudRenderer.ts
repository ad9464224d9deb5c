import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  PerspectiveCamera,
  Points,
  PointsMaterial,
  Scene,
  Sphere,
  Vector3,
  WebGLRenderer,
} from 'three';
import type {
  Cloud,
  CloudView,
  CloudViewer,
  Coloring,
  ColorScale,
} from '../data/clouds/cloudViewer';
import { AxisLabels, GroundGrid } from './axes';
import { colorPoints } from './pointColors';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

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
class CloudCamera {
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

const MAX_PIXEL_RATIO = 2;
/** Minimum assumed size of a cloud, in meters. */
const MIN_SIZE = 1e-3;
const SIZE_OF_NOTHING = 1;
/** Time in milliseconds without movement after which a view is drawn with all points. */
const DEBOUNCE_MS = 200;

/** Draws clouds with WebGL whenever something changes. */
export class CloudRenderer implements CloudViewer {
  readonly element = document.createElement('div');
  private readonly canvas = document.createElement('canvas');
  private readonly labels = new AxisLabels();
  private readonly scene = new Scene();
  private readonly material = new PointsMaterial({ sizeAttenuation: false, vertexColors: true });
  private readonly points = new Points(new BufferGeometry(), this.material);
  private readonly renderer: WebGLRenderer;
  private readonly camera: CloudCamera;
  private readonly resizes: ResizeObserver;
  private cloud: Cloud | undefined;
  private grid: GroundGrid | undefined;
  private showsGrid = true;
  private readonly detail = new MovingDetail();
  private frame: number | undefined;
  private resting: ReturnType<typeof setTimeout> | undefined;

  /** @throws Error if WebGL isn't available */
  constructor(private readonly onLost: () => void) {
    const { canvas, element, labels, points, scene } = this;
    element.className = 'cloud-picture';
    element.append(canvas, labels.element);
    // The background is transparent so that the theme's background is visible.
    this.renderer = new WebGLRenderer({ canvas, alpha: true, antialias: false });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, MAX_PIXEL_RATIO));
    this.camera = new CloudCamera(canvas, () => this.move());
    scene.add(points);
    canvas.addEventListener('webglcontextlost', this.onLost);
    this.resizes = new ResizeObserver(() => this.fitSize());
    this.resizes.observe(element);
  }

  get gridStep(): number {
    return this.grid?.step ?? 0;
  }

  show(shown: Cloud): void {
    const cloud = scatteredCloud(shown);
    this.cloud = cloud;
    const { low, high } = cloud.bounds ?? { low: [0, 0, 0], high: [0, 0, 0] };
    const box = new Box3(new Vector3(...low), new Vector3(...high));
    // A single point, or multiple points at the same position, have no extent to fit into the view.
    const widest = Math.max(...box.getSize(new Vector3()).toArray());
    if (widest < MIN_SIZE) box.expandByScalar(SIZE_OF_NOTHING / 2);
    const sphere = box.getBoundingSphere(new Sphere());
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(cloud.positions, 3));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(cloud.count * 3), 3));
    // Set the bounding sphere explicitly, so that three.js doesn't iterate over all points.
    geometry.boundingSphere = sphere;
    this.points.geometry.dispose();
    this.points.geometry = geometry;
    this.replaceGrid(new GroundGrid(box.min, box.max));
    this.camera.setSubject(sphere);
    this.draw();
  }

  setColoring(coloring: Coloring): ColorScale | undefined {
    const { cloud, points } = this;
    const color = points.geometry.getAttribute('color');
    if (!cloud || !(color.array instanceof Float32Array)) return undefined;
    const scale = colorPoints(cloud, coloring, getThemeBackground(document.body), color.array);
    color.needsUpdate = true;
    this.draw();
    return scale;
  }

  setPointSize(pixels: number): void {
    this.material.size = pixels * this.renderer.getPixelRatio();
    this.draw();
  }

  setGrid(shown: boolean): void {
    this.showsGrid = shown;
    this.labels.element.hidden = !shown;
    if (this.grid) this.grid.object.visible = shown;
    this.draw();
  }

  setView(view: CloudView): void {
    this.camera.setView(view);
  }

  orbit(left: number, up: number): void {
    this.camera.orbit(left, up);
  }

  pan(right: number, down: number): void {
    this.camera.pan(right, down);
  }

  zoom(factor: number): void {
    this.camera.zoom(factor);
  }

  dispose(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    clearTimeout(this.resting);
    this.canvas.removeEventListener('webglcontextlost', this.onLost);
    this.resizes.disconnect();
    this.camera.dispose();
    this.grid?.dispose();
    this.points.geometry.dispose();
    this.material.dispose();
    this.renderer.dispose();
    // Browsers limit the number of WebGL contexts and drop the oldest one when the limit is
    // exceeded.
    this.renderer.forceContextLoss();
    this.element.remove();
  }

  private replaceGrid(grid: GroundGrid): void {
    if (this.grid) {
      this.scene.remove(this.grid.object);
      this.grid.dispose();
    }
    this.grid = grid;
    grid.object.visible = this.showsGrid;
    this.scene.add(grid.object);
  }

  private fitSize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.setSize(width, height);
    this.draw();
  }

  /**
   * During movement, draws as many points as can be drawn quickly. When the view is at rest, draws
   * all points.
   */
  private move(): void {
    clearTimeout(this.resting);
    this.element.classList.add('moving');
    this.resting = setTimeout(() => {
      this.resting = undefined;
      this.draw();
    }, DEBOUNCE_MS);
    this.draw();
  }

  /** Schedules drawing in the next frame; repeated calls are merged. */
  private draw(): void {
    this.frame ??= requestAnimationFrame((start) => {
      this.frame = undefined;
      this.drawNow();
      this.element.classList.toggle('moving', this.resting !== undefined);
      // The browser starts the next frame only when this one is almost complete, so this measures
      // how long the frame takes.
      if (this.resting !== undefined) {
        requestAnimationFrame((end) => this.detail.frameTook(end - start));
      }
    });
  }

  private drawNow(): void {
    const { camera, cloud, grid, points, renderer, scene } = this;
    const share = this.resting === undefined ? 1 : this.detail.share;
    points.geometry.setDrawRange(0, Math.ceil((cloud?.count ?? 0) * share));
    camera.fitDepth();
    renderer.render(scene, camera.camera);
    if (!grid || !this.showsGrid) return;
    const { clientWidth: width, clientHeight: height } = this.element;
    this.labels.updatePositions(camera.camera, grid.origin, grid.axisLength, width, height);
  }
}

/** VS Code adds the kind of its theme as a class to a webview's body. */
function getThemeBackground({ classList }: HTMLElement): 'dark' | 'light' {
  return classList.contains('vscode-light') || classList.contains('vscode-high-contrast-light')
    ? 'light'
    : 'dark';
}

/** Frame time in milliseconds above which movement looks jerky. */
const SLOW = 50;
const FAST = 25;
const AIM = 33;
const GROWTH = 1.3;
const MIN_DETAIL = 0.01;

/**
 * Fraction of a cloud's points to draw during movement. It is chosen so that the computer can draw
 * the points many times per second.
 */
export class MovingDetail {
  private part = 1;

  /** Current fraction, from 0 to 1. */
  get share(): number {
    return this.part;
  }

  /** Adjusts the fraction to the time that drawing a frame took, in milliseconds. */
  frameTook(milliseconds: number): void {
    if (milliseconds > SLOW) this.part = Math.max(MIN_DETAIL, (this.part * AIM) / milliseconds);
    else if (milliseconds < FAST) this.part = Math.min(1, this.part * GROWTH);
  }
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Returns the same points, ordered so that every prefix is spread evenly over the cloud. */
export function scatteredCloud(cloud: Cloud): Cloud {
  const { count, positions, colors, intensities } = cloud;
  const step = coprimeStep(count);
  const scattered = {
    ...cloud,
    positions: new Float32Array(positions.length),
    colors: colors && new Float32Array(colors.length),
    intensities: intensities && new Float32Array(intensities.length),
  };
  for (let to = 0, from = 0; to < count; to += 1, from = (from + step) % count) {
    for (let part = 0; part < 3; part += 1) {
      scattered.positions[to * 3 + part] = positions[from * 3 + part] ?? 0;
      if (scattered.colors) scattered.colors[to * 3 + part] = colors?.[from * 3 + part] ?? 0;
    }
    if (scattered.intensities) scattered.intensities[to] = intensities?.[from] ?? NaN;
  }
  return scattered;
}

/**
 * Returns a step that visits each index exactly once. The step is near the golden ratio of the
 * count, which spreads the visited indexes most evenly.
 */
function coprimeStep(count: number): number {
  let step = Math.max(1, Math.round(count * GOLDEN));
  while (commonDivisor(step, count) > 1) step += 1;
  return step;
}

function commonDivisor(one: number, other: number): number {
  return other === 0 ? one : commonDivisor(other, one % other);
}
