/** The row at the mouse pointer. */
export interface HitRow {
  readonly key: number;
  readonly index: number;
}

/** Details of a click on a row. */
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

/** Handles the mouse input of the list. */
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
