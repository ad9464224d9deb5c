/** What the mouse does in a grid or list of items. */
export interface BoardByMouse {
  clicked(place: number, how: { readonly extend: boolean; readonly add: boolean }): void;
  doubleClicked(place: number): void;
}

/** Lets a grid or list be used by mouse. */
export function listenToBoardMouse(target: HTMLElement, board: BoardByMouse): void {
  target.addEventListener('click', (event) => {
    const place = placeAt(event);
    if (place === undefined) return;
    const onCheck = event.target instanceof Element && event.target.closest('.check') !== null;
    const add = event.ctrlKey || event.metaKey || onCheck;
    board.clicked(place, { extend: event.shiftKey, add });
  });
  target.addEventListener('dblclick', (event) => {
    const place = placeAt(event);
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey;
    if (place !== undefined && isPlain) board.doubleClicked(place);
  });
}

/** The place of the cell that the mouse is at. */
export function placeAt({ target }: Event): number | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-place]') : null;
  return cell ? Number(cell.dataset.place) : undefined;
}
