import { element } from '../ui/elements';
import type { ViewStateStore } from '../ui/createViewStateStore';

/** Key under which the page saves the editor's height. */
const STATE_KEY = 'split';

interface PanelElements {
  /** Elements at the top of the panel. */
  readonly head: readonly HTMLElement[];
  /** Elements above the separator; `bottom` is the element below the separator. */
  readonly top: readonly HTMLElement[];
  readonly bottom: HTMLElement;
  /** Element that covers both parts when it is open. */
  readonly side: HTMLElement;
}

interface LayoutOptions {
  /** Label for the separator between the upper and lower parts. */
  readonly label: string;
  readonly viewStates: ViewStateStore;
}

/** Arranges the parts of the panel. */
export function panelLayout(
  root: HTMLElement,
  { head, top, bottom, side }: PanelElements,
  { label, viewStates }: LayoutOptions,
): void {
  const above = element('div', { class: 'query-top', id: 'query-top' }, ...top);
  const main = element('div', { class: 'query-main' });
  const splitter = new Splitter({
    label,
    above,
    around: main,
    begin: viewStates.get(STATE_KEY),
    onChange: (percent) => viewStates.set(STATE_KEY, percent),
  });
  main.append(above, splitter.element, bottom, side);
  root.replaceChildren(element('header', {}, ...head), main);
}

/** Heights of the upper part, as a percentage of the height of both parts. */
const [MIN_PERCENT, MAX_PERCENT, USUAL, STEP] = [15, 85, 40, 5];

interface SplitterOptions {
  readonly label: string;
  readonly above: HTMLElement;
  /** The container of both parts. */
  readonly around: HTMLElement;
  /** The saved height; an invalid value is ignored. */
  readonly begin: unknown;
  readonly onChange: (percent: number) => void;
}

/**
 * A separator between two parts, one above the other. The user changes the height of the upper part
 * with the pointer or keys.
 */
class Splitter {
  readonly element: HTMLElement;
  private percent = USUAL;

  constructor(private readonly options: SplitterOptions) {
    const { label, above, begin } = options;
    this.element = element('div', {
      class: 'splitter',
      role: 'separator',
      tabindex: '0',
      'data-focus': 'splitter',
      'aria-orientation': 'horizontal',
      'aria-label': label,
      title: label,
      'aria-valuemin': String(MIN_PERCENT),
      'aria-valuemax': String(MAX_PERCENT),
      'aria-controls': above.id,
    });
    this.element.addEventListener('keydown', (event) => this.pressed(event));
    this.element.addEventListener('pointerdown', (event) => this.grabbed(event));
    this.element.addEventListener('dblclick', () => this.change(USUAL));
    this.set(typeof begin === 'number' ? begin : USUAL);
  }

  private set(percent: number): void {
    this.percent = Math.round(Math.min(Math.max(percent, MIN_PERCENT), MAX_PERCENT));
    this.options.above.style.flexBasis = `${this.percent}%`;
    this.element.setAttribute('aria-valuenow', String(this.percent));
  }

  private change(percent: number): void {
    this.set(percent);
    this.options.onChange(this.percent);
  }

  private pressed(event: KeyboardEvent): void {
    const percentByKey: Readonly<Record<string, number>> = {
      ArrowUp: this.percent - STEP,
      ArrowDown: this.percent + STEP,
      Home: MIN_PERCENT,
      End: MAX_PERCENT,
    };
    const percent = percentByKey[event.key];
    if (percent === undefined) return;
    event.preventDefault();
    this.change(percent);
  }

  private grabbed(event: PointerEvent): void {
    if (event.button !== 0) return;
    event.preventDefault();
    this.element.focus();
    this.element.setPointerCapture(event.pointerId);
    const done = new AbortController();
    const { signal } = done;
    const moved = ({ clientY }: PointerEvent): void => {
      const { top, height } = this.options.around.getBoundingClientRect();
      if (height > 0) this.change(((clientY - top) / height) * 100);
    };
    this.element.addEventListener('pointermove', moved, { signal });
    for (const end of ['pointerup', 'pointercancel'] as const) {
      this.element.addEventListener(end, () => done.abort(), { signal });
    }
  }
}

interface KeyActions {
  readonly run: () => void;
  readonly runSelection: () => void;
  readonly cancel: () => void;
}

/**
 * Handles the keys that work everywhere in the panel, unless the focused element has handled them.
 */
export function panelKeys(root: HTMLElement, { run, runSelection, cancel }: KeyActions): void {
  root.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const { key, shiftKey } = event;
    const isMain = event.ctrlKey || event.metaKey;
    if (key === 'Enter' && isMain) (shiftKey ? runSelection : run)();
    else if (key === 'Escape' && shiftKey && !isMain) cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
