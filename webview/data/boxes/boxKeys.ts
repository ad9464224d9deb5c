/** What keys do to a picture and its boxes. An act that answers false leaves the key to others. */
export interface KeyedActs {
  /** @param keyAt when the key was pressed, in milliseconds: the page may be too busy to handle it at once */
  step(x: number, y: number, size: 'small' | 'large', keyAt: number): boolean;
  resize(x: number, y: number, size: 'small' | 'large', keyAt: number): boolean;
  zoom(factor: number): void;
  fit(): void;
  showActualSize(): void;
  selectBy(step: 1 | -1): boolean;
  drawBox(): void;
  /** Opens the entry of a label. */
  enterLabel(): boolean;
  /** Gives the label with a number from 1 to 9. */
  labelNumbered(number: number): boolean;
  remove(): boolean;
  zoomToBox(): boolean;
  undo(): void;
  redo(): void;
  toggleLabels(): void;
  /** Shows the boxes with the label of the selected box only, or all boxes again. */
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

/** Keys of the picture itself. VS Code would take some of them, so they go no further than here. */
export function listenToSurfaceKeys(target: HTMLElement, acts: KeyedActs): void {
  target.addEventListener('keydown', (event) => take(event, surfaceAct(event, acts)));
}

/** Keys that do the same in the picture and in the list of its boxes. */
export function listenToBoxKeys(target: HTMLElement, acts: KeyedActs): void {
  target.addEventListener('keydown', (event) => take(event, boxAct(event, acts)));
}

/** Keys of everything around the picture, as far as nothing is typed. */
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
      // Held, it lets the pointer move the view; it scrolls nothing.
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
