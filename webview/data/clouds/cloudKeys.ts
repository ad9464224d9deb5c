import type { CloudView } from './cloudViewer';

/** Actions that keys trigger in the view of a cloud. */
export interface CloudActions {
  /** Orbits the camera; angles are in radians. */
  orbit(left: number, up: number): void;
  /** Pans the view; distances are in pixels. */
  pan(right: number, down: number): void;
  /** Zooms by a factor: values above 1 zoom in; values below 1 zoom out. */
  zoom(factor: number): void;
  setView(view: CloudView): void;
  nextColoring(): void;
  growPoints(pixels: number): void;
  toggleGrid(): void;
  toggleHelp(): void;
}

const TURN = Math.PI / 36;
const PAN = 40;
const ZOOM = 1.2;

const keys: Readonly<Record<string, (actions: CloudActions) => void>> = {
  ArrowLeft: (actions) => actions.orbit(TURN, 0),
  ArrowRight: (actions) => actions.orbit(-TURN, 0),
  ArrowUp: (actions) => actions.orbit(0, TURN),
  ArrowDown: (actions) => actions.orbit(0, -TURN),
  'Shift+ArrowLeft': (actions) => actions.pan(PAN, 0),
  'Shift+ArrowRight': (actions) => actions.pan(-PAN, 0),
  'Shift+ArrowUp': (actions) => actions.pan(0, PAN),
  'Shift+ArrowDown': (actions) => actions.pan(0, -PAN),
  '+': (actions) => actions.zoom(ZOOM),
  '=': (actions) => actions.zoom(ZOOM),
  '-': (actions) => actions.zoom(1 / ZOOM),
  _: (actions) => actions.zoom(1 / ZOOM),
  '0': (actions) => actions.setView('whole'),
  '1': (actions) => actions.setView('top'),
  '2': (actions) => actions.setView('front'),
  '3': (actions) => actions.setView('side'),
  c: (actions) => actions.nextColoring(),
  g: (actions) => actions.toggleGrid(),
  '[': (actions) => actions.growPoints(-1),
  ']': (actions) => actions.growPoints(1),
  '?': (actions) => actions.toggleHelp(),
};

/** Handles the view's keys. Other keys propagate. */
export function pressInCloud(event: KeyboardEvent, actions: CloudActions): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isShifted = event.shiftKey && event.key.startsWith('Arrow');
  const key = isShifted ? `Shift+${event.key}` : event.key;
  if (!Object.hasOwn(keys, key)) return;
  keys[key]?.(actions);
  event.preventDefault();
  event.stopPropagation();
}
