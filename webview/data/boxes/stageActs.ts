import type { Annotator } from './annotator';
import type { BoxDisplay } from './boxDisplay';
import type { KeyedActs } from './boxKeys';
import type { LabelNumbers } from './labelNumbers';
import type { Surface } from './surface';

/** Pan steps in CSS pixels. */
const PAN = { small: 40, large: 200 } as const;

/** Number of small steps in a large step of a box. */
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
