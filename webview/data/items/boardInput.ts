/** Actions in a grid or list that keys trigger. */
export interface BoardByKeys {
  readonly columns: number;
  readonly pageStep: number;
  readonly count: number;
  readonly active: number | undefined;
  /** Moves to an index, which must exist. */
  go(index: number, how: 'choose' | 'extend' | 'move'): void;
  toggleActive(): void;
  openActive(): void;
  selectAll(): void;
  /** Clears the selection; returns false if nothing was selected. */
  clearSelection(): boolean;
}

/**
 * Handles keyboard input in a grid or list. Handled keys don't propagate, because VS Code would
 * handle some of them for the whole panel.
 */
export function listenToBoardKeys(target: HTMLElement, board: BoardByKeys): void {
  target.addEventListener('keydown', (event) => {
    if (event.target !== target || event.altKey || !press(event, board)) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** Handles a key; returns false if the key has no effect. */
function press(event: KeyboardEvent, board: BoardByKeys): boolean {
  const control = event.ctrlKey || event.metaKey;
  const step = getStep(event.key, board);
  if (step !== undefined) {
    if (board.count === 0) return true;
    const index = getIndexAfter(step, board);
    board.go(index, event.shiftKey ? 'extend' : control ? 'move' : 'choose');
    return true;
  }
  switch (event.key) {
    case ' ':
      board.toggleActive();
      return true;
    case 'Enter':
      board.openActive();
      return true;
    case 'Escape':
      return board.clearSelection();
    case 'a':
    case 'A':
      if (control) board.selectAll();
      return control;
    default:
      return false;
  }
}

function getStep(key: string, { columns, pageStep, count }: BoardByKeys): number | undefined {
  switch (key) {
    case 'ArrowLeft':
      return columns > 1 ? -1 : undefined;
    case 'ArrowRight':
      return columns > 1 ? 1 : undefined;
    case 'ArrowUp':
      return -columns;
    case 'ArrowDown':
      return columns;
    case 'PageUp':
      return -pageStep;
    case 'PageDown':
      return pageStep;
    case 'Home':
      return -count;
    case 'End':
      return count;
    default:
      return undefined;
  }
}

/**
 * Returns the index of the item after a step. Vertical steps beyond the first or last row have no
 * effect.
 */
function getIndexAfter(step: number, { active, columns, count }: BoardByKeys): number {
  if (active === undefined) return step === count ? count - 1 : 0;
  const index = active + step;
  if (Math.abs(step) === count || Math.abs(step) === 1) {
    return Math.min(Math.max(index, 0), count - 1);
  }
  if (index < 0) return active % columns;
  if (index < count) return index;
  const lastRow = Math.floor((count - 1) / columns) * columns;
  // There are no cells below the last row, and a short last row can lack a cell in this column.
  return active >= lastRow ? active : Math.min(lastRow + (active % columns), count - 1);
}

/** Actions in a grid or list that the mouse triggers. */
export interface BoardByMouse {
  clicked(index: number, how: { readonly extend: boolean; readonly add: boolean }): void;
  doubleClicked(index: number): void;
}

/** Handles mouse input in a grid or list. */
export function listenToBoardMouse(target: HTMLElement, board: BoardByMouse): void {
  target.addEventListener('click', (event) => {
    const index = findCellIndex(event);
    if (index === undefined) return;
    const onCheck = event.target instanceof Element && event.target.closest('.check') !== null;
    const add = event.ctrlKey || event.metaKey || onCheck;
    board.clicked(index, { extend: event.shiftKey, add });
  });
  target.addEventListener('dblclick', (event) => {
    const index = findCellIndex(event);
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey;
    if (index !== undefined && isPlain) board.doubleClicked(index);
  });
}

/** Returns the index of the cell at the mouse pointer. */
function findCellIndex({ target }: Event): number | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-place]') : null;
  return cell ? Number(cell.dataset.place) : undefined;
}
