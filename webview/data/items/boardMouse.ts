/** Actions of a grid or list that the mouse triggers. */
export interface BoardByMouse {
  clicked(index: number, how: { readonly extend: boolean; readonly add: boolean }): void;
  doubleClicked(index: number): void;
}

/** Handles the mouse input of a grid or list. */
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
export function findCellIndex({ target }: Event): number | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-place]') : null;
  return cell ? Number(cell.dataset.place) : undefined;
}
