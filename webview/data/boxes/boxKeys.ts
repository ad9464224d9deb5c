import type { Annotator, BoxDisplay } from './annotator';
import type { LabelNumbers } from './boxLabels';
import type { Surface } from './surface';

/**
 * Actions that keys trigger on an image and its boxes. If an action returns false, other code can
 * handle the key.
 */
export interface KeyedActs {
  /**
   * @param keyAt time of the key press in milliseconds; needed because a busy page can handle the
   *   key late
   */
  step(x: number, y: number, size: 'small' | 'large', keyAt: number): boolean;
  resize(x: number, y: number, size: 'small' | 'large', keyAt: number): boolean;
  zoom(factor: number): void;
  fit(): void;
  showActualSize(): void;
  selectBy(step: 1 | -1): boolean;
  drawBox(): void;
  /** Opens the label input. */
  enterLabel(): boolean;
  /** Sets the label that has a number from 1 to 9. */
  labelNumbered(number: number): boolean;
  remove(): boolean;
  zoomToBox(): boolean;
  undo(): void;
  redo(): void;
  toggleLabels(): void;
  /**
   * Shows only the boxes with the selected box's label or, if they are already isolated, all boxes.
   */
  isolateLabel(): boolean;
  toggleHelp(): void;
}

type Act = () => unknown;

const ZOOM = 1.25;

const arrows: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Handles the keys of the image itself. Handled keys don't propagate, because VS Code would handle
 * some of them.
 */
export function listenToSurfaceKeys(target: HTMLElement, acts: KeyedActs): void {
  target.addEventListener('keydown', (event) => take(event, surfaceAct(event, acts)));
}

/** Handles the keys that work in both the image and the list of its boxes. */
export function listenToBoxKeys(target: HTMLElement, acts: KeyedActs): void {
  target.addEventListener('keydown', (event) => take(event, boxAct(event, acts)));
}

/** Handles the keys that work everywhere around the image unless the user is typing. */
export function listenToStageKeys(target: HTMLElement, acts: KeyedActs): void {
  target.addEventListener('keydown', (event) => {
    if (!(event.target instanceof HTMLInputElement)) take(event, stageAct(event, acts));
  });
}

function take(event: KeyboardEvent, act: Act | undefined): void {
  if (!act || act() === false) return;
  event.preventDefault();
  event.stopPropagation();
}

function surfaceAct(event: KeyboardEvent, acts: KeyedActs): Act | undefined {
  const { key, shiftKey, altKey, ctrlKey, metaKey, timeStamp } = event;
  if (ctrlKey || metaKey) return undefined;
  const arrow = arrows[key];
  if (arrow) {
    const size = shiftKey ? 'large' : 'small';
    const [x, y] = arrow;
    return () => (altKey ? acts.resize(x, y, size, timeStamp) : acts.step(x, y, size, timeStamp));
  }
  if (altKey) return undefined;
  switch (key) {
    case 'Tab':
      return () => acts.selectBy(shiftKey ? -1 : 1);
    case ' ':
      // While the space bar is held, the pointer pans the view, so the key must not scroll the
      // page.
      return () => undefined;
    default:
      return undefined;
  }
}

function boxAct(
  { key, altKey, ctrlKey, metaKey }: KeyboardEvent,
  acts: KeyedActs,
): Act | undefined {
  if (altKey || ctrlKey || metaKey) return undefined;
  if (/^[1-9]$/.test(key)) return () => acts.labelNumbered(Number(key));
  switch (key) {
    case '+':
    case '=':
      return () => acts.zoom(ZOOM);
    case '-':
      return () => acts.zoom(1 / ZOOM);
    case '0':
      return () => acts.fit();
    case 'Enter':
      return () => acts.enterLabel();
    case 'Delete':
    case 'Backspace':
      return () => acts.remove();
  }
  switch (key.toLowerCase()) {
    case 'a':
      return () => acts.showActualSize();
    case 'b':
      return () => acts.drawBox();
    case 'i':
      return () => acts.isolateLabel();
    case 'l':
      return () => acts.toggleLabels();
    case 'z':
      return () => acts.zoomToBox();
    default:
      return undefined;
  }
}

function stageAct(event: KeyboardEvent, acts: KeyedActs): Act | undefined {
  const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
  if (altKey) return undefined;
  if (!ctrlKey && !metaKey) return key === '?' ? () => acts.toggleHelp() : undefined;
  switch (key.toLowerCase()) {
    case 'z':
      return () => (shiftKey ? acts.redo() : acts.undo());
    case 'y':
      return () => acts.redo();
    default:
      return undefined;
  }
}

/** Pan steps in CSS pixels. */
const PAN = { small: 40, large: 200 } as const;

/** Number of small steps in one large step for a box. */
const LARGE_STEP = 10;

export interface StageActsOptions {
  readonly surface: Surface;
  readonly annotator: () => Annotator | undefined;
  readonly labels: LabelNumbers;
  readonly display: BoxDisplay;
  readonly redraw: () => void;
  readonly enterLabel: () => boolean;
  readonly label: (label: string) => void;
  readonly drawBox: () => void;
  readonly toggleHelp: () => void;
}

/** Returns the actions that keys and tools trigger on the image and its boxes. */
export function stageActs(options: StageActsOptions): KeyedActs {
  const { surface, annotator, display } = options;
  const { viewport } = surface;
  const seen = (change: () => void): void => {
    change();
    surface.invalidateView();
  };
  // Returns the size of a step in image pixels; a visible step is at least one screen pixel and one
  // image pixel.
  const pixels = (size: 'small' | 'large'): number =>
    Math.max(1, Math.round(1 / viewport.pixelSize)) * (size === 'large' ? LARGE_STEP : 1);
  const pan = (x: number, y: number, size: 'small' | 'large'): boolean => {
    if (!viewport.hasMore(x !== 0 ? 'across' : 'down')) return false;
    seen(() => viewport.pan(x * PAN[size], y * PAN[size]));
    return true;
  };
  const withSelected = (act: (one: Annotator) => void): boolean => {
    const one = annotator();
    if (!one?.selected) return false;
    act(one);
    return true;
  };
  return {
    step: (x, y, size, keyAt) => {
      const one = annotator();
      if (!one?.active || !one.canEdit) return pan(x, y, size);
      one.moveBy(x * pixels(size), y * pixels(size), keyAt);
      return true;
    },
    resize: (x, y, size, keyAt) => {
      const one = annotator();
      if (!one?.active || !one.canEdit) return false;
      one.resizeBy(x * pixels(size), y * pixels(size), keyAt);
      return true;
    },
    zoom: (factor) => seen(() => viewport.zoomBy(factor)),
    fit: () => seen(() => viewport.fit()),
    showActualSize: () => seen(() => viewport.showActualSize()),
    selectBy: (step) => {
      const one = annotator();
      if (one?.draft) return true;
      return one?.selectBy(step) ?? false;
    },
    drawBox: options.drawBox,
    enterLabel: options.enterLabel,
    labelNumbered: (number) => {
      const label = options.labels.withNumber(number);
      const one = annotator();
      if (label === undefined || !one?.active || !one.canEdit) return false;
      options.label(label);
      return true;
    },
    remove: () => {
      const one = annotator();
      if (one?.draft) return one.cancel();
      return withSelected((selected) => selected.remove());
    },
    zoomToBox: () => {
      const box = annotator()?.active;
      if (!box) return false;
      seen(() => viewport.showBox(box));
      return true;
    },
    undo: () => annotator()?.act({ kind: 'undo' }),
    redo: () => annotator()?.act({ kind: 'redo' }),
    toggleLabels: () => {
      display.areLabelsShown = !display.areLabelsShown;
      options.redraw();
    },
    isolateLabel: () => {
      const one = annotator();
      const label = display.isolatedLabel === undefined ? one?.selected?.label : undefined;
      if (!one || (label === undefined && display.isolatedLabel === undefined)) return false;
      one.isolate(label);
      return true;
    },
    toggleHelp: options.toggleHelp,
  };
}
