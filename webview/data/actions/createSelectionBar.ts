import { itemActions } from '../../../src/shared/data/actions';
import type { ItemPlacement, SelectionRef } from '../../../src/shared/data/items';
import type { DataContext } from '../dataContext';
import { SelectionBar } from './selectionBar';

/** A grid or list with selectable items. */
export interface Selectable {
  readonly element: HTMLElement;
  selectAll(): void;
  clearSelection(): boolean;
  focus(): void;
}

/**
 * Creates the selection bar of a grid or list. Its keys also work in the grid or list.
 * @param ref returns the current selection.
 */
export function createSelectionBar(
  { host, strings, locale, canWrite, undoEvents: undoNews }: DataContext,
  board: Selectable,
  placement: ItemPlacement,
  ref: () => SelectionRef,
): SelectionBar {
  const bar = new SelectionBar({
    ...{ strings: strings.actions, locale, canWrite },
    actions: itemActions.filter((action) => action !== 'proposeLabels' || placement === 'images'),
    act: (action) => host.send('act', { action, selection: ref() }),
    selectAll: () => {
      board.selectAll();
      board.focus();
    },
    clear: () => {
      board.clearSelection();
      board.focus();
    },
    undo: () => host.send('undoAction', undefined),
  });
  bar.listenTo(board.element);
  bar.listenTo(bar.element);
  undoNews.listen((text) => bar.showUndo(text));
  restoreFocus({ element: board.element, focus: () => board.focus() });
  return bar;
}

/**
 * Focuses the items when the panel gets the focus and none of its elements has it. VS Code takes
 * the focus for its prompts and returns it only to the panel as a whole.
 */
function restoreFocus({ element, focus }: { element: HTMLElement; focus: () => void }): void {
  window.addEventListener('focus', () => {
    const hasFocus = document.activeElement !== null && document.activeElement !== document.body;
    if (!hasFocus && element.isConnected && element.offsetParent !== null) focus();
  });
}
