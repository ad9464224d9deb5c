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
