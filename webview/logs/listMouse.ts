/** A row that the mouse is at. */
export interface HitRow {
  readonly key: number;
  readonly place: number;
}

/** How a row was clicked. */
export interface RowClick {
  /** All rows up to this one are meant. */
  readonly extend: boolean;
  readonly onTwist: boolean;
}

/** What the mouse does in the list. */
export interface ListByMouse {
  /** The place of a row that is near what is seen. */
  placeOf(key: number): number | undefined;
  clicked(row: HitRow, click: RowClick): void;
  doubleClicked(): void;
}

/** Lets the list be used by mouse. */
export function listenToMouse(target: HTMLElement, list: ListByMouse): void {
  target.addEventListener('click', (event) => {
    const row = hitRow(event, list);
    if (row) list.clicked(row, { extend: event.shiftKey, onTwist: isOnTwist(event) });
  });
  target.addEventListener('dblclick', (event) => {
    if (hitRow(event, list) && !isOnTwist(event)) list.doubleClicked();
  });
}

/** The row that the mouse is at; undefined within what has a use of its own. */
function hitRow({ target }: MouseEvent, list: ListByMouse): HitRow | undefined {
  if (!(target instanceof Element) || target.closest('button, .details')) return undefined;
  const key = Number(target.closest<HTMLElement>('.row')?.dataset.key);
  const place = list.placeOf(key);
  return place === undefined ? undefined : { key, place };
}

function isOnTwist({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('.twist') !== null;
}
