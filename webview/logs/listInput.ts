/** List actions that keys trigger. */
export interface ListByKeys {
  readonly rowsPerPage: number;
  readonly count: number;
  step(by: number, extend: boolean): void;
  toggleActive(targetState?: 'open' | 'closed'): void;
  selectAll(): void;
  clearSelection(): void;
}

/**
 * Handles keyboard input in the list. Handled keys don't propagate, because VS Code would handle
 * some of them for the whole panel.
 */
export function listenToKeys(target: HTMLElement, list: ListByKeys, copy: () => void): void {
  target.addEventListener('keydown', (event) => {
    // Controls within the list have their own keys.
    if (event.target !== target || event.altKey) return;
    const act =
      event.ctrlKey || event.metaKey
        ? withControl(event, list, copy)
        : plain(event, list, event.shiftKey);
    if (!act) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  });
}

type Act = () => void;

function plain({ key }: KeyboardEvent, list: ListByKeys, extend: boolean): Act | undefined {
  switch (key) {
    case 'ArrowUp':
      return () => list.step(-1, extend);
    case 'ArrowDown':
      return () => list.step(1, extend);
    case 'PageUp':
      return () => list.step(-list.rowsPerPage, extend);
    case 'PageDown':
      return () => list.step(list.rowsPerPage, extend);
    case 'Home':
      return () => list.step(-list.count, extend);
    case 'End':
      return () => list.step(list.count, extend);
    case 'Enter':
      return () => list.toggleActive();
    case 'ArrowRight':
      return () => list.toggleActive('open');
    case 'ArrowLeft':
      return () => list.toggleActive('closed');
    case 'Escape':
      return () => list.clearSelection();
    default:
      return undefined;
  }
}

function withControl({ key }: KeyboardEvent, list: ListByKeys, copy: Act): Act | undefined {
  switch (key.toLowerCase()) {
    case 'a':
      return () => list.selectAll();
    case 'c':
      return window.getSelection()?.isCollapsed === false ? undefined : copy;
    case 'home':
      return () => list.step(-list.count, false);
    case 'end':
      return () => list.step(list.count, false);
    default:
      return undefined;
  }
}

/** The row at the mouse pointer. */
export interface HitRow {
  readonly key: number;
  readonly index: number;
}

/** Details about a click on a row. */
export interface RowClick {
  /** True to extend the selection to the clicked row. */
  readonly extend: boolean;
  readonly onTwist: boolean;
}

/** List actions that the mouse triggers. */
export interface ListByMouse {
  /** Returns the current index of a cached row by its key. */
  findIndex(key: number): number | undefined;
  clicked(row: HitRow, click: RowClick): void;
  doubleClicked(): void;
}

/** Handles mouse input in the list. */
export function listenToMouse(target: HTMLElement, list: ListByMouse): void {
  target.addEventListener('click', (event) => {
    const row = hitRow(event, list);
    if (row) list.clicked(row, { extend: event.shiftKey, onTwist: isOnTwist(event) });
  });
  target.addEventListener('dblclick', (event) => {
    if (hitRow(event, list) && !isOnTwist(event)) list.doubleClicked();
  });
}

/**
 * Returns the row at the mouse pointer; undefined if the pointer is over an interactive element.
 */
function hitRow({ target }: MouseEvent, list: ListByMouse): HitRow | undefined {
  if (!(target instanceof Element) || target.closest('button, .details')) return undefined;
  const key = Number(target.closest<HTMLElement>('.row')?.dataset.key);
  const index = list.findIndex(key);
  return index === undefined ? undefined : { key, index };
}

function isOnTwist({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('.twist') !== null;
}
