import * as l10n from '@vscode/l10n';
import { type ItemAction, itemActions } from '../../../src/shared/data/dataProtocol';
import { element, toolButton, updateText } from '../../ui/elements';
import { menuButton } from '../../ui/menuButton';
import { MAX_SAVED_ITEMS } from '../items/savedSelection';
import type { ItemPlacement, SelectionRef } from '../../../src/shared/data/items';
import type { DataContext } from '../dataContext';

export interface SelectionBarOptions {
  readonly locale: string;
  /** The available actions, in the order in which they are shown. */
  readonly actions: readonly ItemAction[];
  /** True if the API key has permission to change the selected items. */
  readonly canWrite: boolean;
  /** Reason that the connection is read-only; undefined if changes are allowed. */
  readonly readOnly?: string | undefined;
  readonly act: (action: ItemAction) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
  readonly undo: () => void;
}

/** Numbers of selected items and all items in a tab. */
export interface Selected {
  readonly count: number;
  readonly total: number;
  /** True if the selection is restored when the panel is shown again. */
  readonly isRestorable: boolean;
}

/**
 * Bar with actions on the selected items. Visible while items are selected or an action can be
 * undone.
 */
export class SelectionBar {
  readonly element: HTMLElement;
  private readonly count = element('span', { class: 'selection-count', role: 'status' });
  private readonly note = element('span', { class: 'selection-note', role: 'status' });
  private readonly all: HTMLButtonElement;
  private readonly forSelection: HTMLElement;
  private readonly back: HTMLButtonElement;
  private selected: Selected = { count: 0, total: 0, isRestorable: true };
  private undoText: string | undefined;

  constructor(private readonly options: SelectionBarOptions) {
    const { actions, clear, selectAll, undo } = options;
    this.all = toolButton('', selectAll, { focusKey: 'select all matching' });
    this.back = toolButton(l10n.t('Undo'), undo, { focusKey: 'undo action' });
    this.forSelection = element(
      'span',
      { class: 'selection-actions' },
      this.all,
      ...actions.map((action) => this.button(action)),
      this.menu(),
      toolButton(withKey(l10n.t('Clear Selection'), 'Esc'), clear, { focusKey: 'clear selection' }),
    );
    this.element = element(
      'div',
      { class: 'selection-bar', role: 'toolbar', 'aria-label': l10n.t('Selected items') },
      this.count,
      this.note,
      this.forSelection,
      this.back,
    );
    this.present();
  }

  show(selected: Selected): void {
    this.selected = selected;
    this.present();
  }

  /** Offers to undo the action that `text` describes; undefined removes the offer. */
  showUndo(text: string | undefined): void {
    this.undoText = text;
    this.present();
  }

  /** Enables the actions' keys in an element. */
  listenTo(target: HTMLElement): void {
    target.addEventListener('keydown', (event) => {
      const action = event.defaultPrevented ? undefined : getKeyAction(event);
      if (action === undefined || !this.press(action)) return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  private press(action: ItemAction | 'undo'): boolean {
    if (action === 'undo') {
      if (this.undoText === undefined) return false;
      this.options.undo();
      return true;
    }
    if (this.selected.count === 0 || !this.canDo(action)) return false;
    this.options.act(action);
    return true;
  }

  private canDo(action: ItemAction): boolean {
    const { actions, canWrite } = this.options;
    return actions.includes(action) && (canWrite || action === 'download');
  }

  private button(action: ItemAction): HTMLButtonElement {
    const { act, readOnly } = this.options;
    const isEnabled = this.canDo(action);
    const made = toolButton(
      withKey(getActionNames()[action], ACTION_KEYS[action]),
      () => act(action),
      {
        focusKey: action,
        hint: isEnabled
          ? getActionHints()[action]
          : (readOnly ?? l10n.t("Your API key doesn't have permission to edit this data")),
        class: action === 'delete' ? 'selection-action destructive' : 'selection-action',
      },
    );
    made.disabled = !isEnabled;
    return made;
  }

  /** Creates a menu with the same actions, for narrow panels. */
  private menu(): HTMLElement {
    const { actions, act } = this.options;
    const items = actions.map((action) => ({
      label: getActionNames()[action],
      onPress: () => act(action),
      enabled: this.canDo(action),
    }));
    const made = menuButton(l10n.t('More Actions'), () => items, { focusKey: 'more actions' });
    made.classList.add('selection-menu');
    return made;
  }

  private present(): void {
    const { locale } = this.options;
    const { count, total, isRestorable: isRestorable } = this.selected;
    const number = (value: number): string => value.toLocaleString(locale);
    const text = count === 1 ? l10n.t('1 selected') : l10n.t('{0} selected', number(count));
    updateText(this.count, count === 0 ? '' : text);
    this.count.hidden = count === 0;
    const note = l10n.t(
      'Selections of more than {0} items are cleared when you hide the panel.',
      number(MAX_SAVED_ITEMS),
    );
    updateText(this.note, isRestorable ? '' : note);
    this.note.hidden = isRestorable;
    this.forSelection.hidden = count === 0;
    this.all.hidden = count >= total;
    updateText(this.all, l10n.t('Select all {0} matching items', number(total)));
    this.back.hidden = this.undoText === undefined;
    this.back.title = l10n.t('Undo: {0} (Ctrl+Z)', this.undoText ?? '');
    this.element.hidden = count === 0 && this.undoText === undefined;
  }
}

/**
 * Creates a button label with its key. Screen readers get the key from the button's description.
 */
function withKey(label: string, key: string): HTMLElement {
  return element('span', {}, label, element('kbd', { class: 'key', 'aria-hidden': 'true' }, key));
}

/** The key of each action, as shown to users. */
const ACTION_KEYS: Readonly<Record<ItemAction, string>> = {
  addTags: 'T',
  removeTags: '⇧T',
  proposeLabels: 'P',
  addToDataset: 'D',
  removeFromDataset: '⇧D',
  download: 'S',
  delete: 'Del',
};

/** Returns the action that a key triggers; undefined if there is none. */
function getKeyAction({
  key,
  shiftKey,
  ctrlKey,
  metaKey,
  altKey,
}: KeyboardEvent): ItemAction | 'undo' | undefined {
  const control = ctrlKey || metaKey;
  if (altKey) return undefined;
  if (control) return key.toLowerCase() === 'z' && !shiftKey ? 'undo' : undefined;
  switch (key.toLowerCase()) {
    case 't':
      return shiftKey ? 'removeTags' : 'addTags';
    case 'p':
      return shiftKey ? undefined : 'proposeLabels';
    case 'd':
      return shiftKey ? 'removeFromDataset' : 'addToDataset';
    case 's':
      return shiftKey ? undefined : 'download';
    case 'delete':
      return shiftKey ? undefined : 'delete';
    default:
      return undefined;
  }
}

/** A grid or list with selectable items. */
export interface Selectable {
  readonly element: HTMLElement;
  selectAll(): void;
  clearSelection(): boolean;
  focus(): void;
}

/**
 * Creates the selection bar for a grid or list. Its keys also work in the grid or list.
 * @param ref returns the current selection.
 */
export function createSelectionBar(
  { host, locale, canWrite, readOnly, undoText, onDidChangeUndo }: DataContext,
  board: Selectable,
  placement: ItemPlacement,
  ref: () => SelectionRef,
): SelectionBar {
  const bar = new SelectionBar({
    locale,
    canWrite,
    readOnly,
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
  bar.showUndo(undoText());
  onDidChangeUndo((text) => bar.showUndo(text));
  restoreFocus({ element: board.element, focus: () => board.focus() });
  return bar;
}

/**
 * Focuses the items when the panel receives focus but none of its elements has it. VS Code takes
 * focus for its prompts and returns it only to the panel as a whole.
 */
function restoreFocus({ element, focus }: { element: HTMLElement; focus: () => void }): void {
  window.addEventListener('focus', () => {
    const hasFocus = document.activeElement !== null && document.activeElement !== document.body;
    if (!hasFocus && element.isConnected && element.offsetParent !== null) focus();
  });
}

/** Returns the names of the actions. */
function getActionNames(): Readonly<Record<ItemAction, string>> {
  return {
    addTags: l10n.t('Add Tags…'),
    removeTags: l10n.t('Remove Tags…'),
    proposeLabels: l10n.t('Propose Labels…'),
    addToDataset: l10n.t('Add to Dataset…'),
    removeFromDataset: l10n.t('Remove from Dataset…'),
    download: l10n.t('Download…'),
    delete: l10n.t('Delete…'),
  };
}

/** Returns the descriptions of the actions, with their keys. */
function getActionHints(): Readonly<Record<ItemAction, string>> {
  return {
    addTags: l10n.t('Add tags to the selected items (T)'),
    removeTags: l10n.t('Remove tags from the selected items (Shift+T)'),
    proposeLabels: l10n.t('Use a model to propose labels for the selected images (P)'),
    addToDataset: l10n.t('Add the selected items to a dataset (D)'),
    removeFromDataset: l10n.t('Remove the selected items from a dataset (Shift+D)'),
    download: l10n.t('Download the selected items to a folder (S)'),
    delete: l10n.t('Delete the selected items (Delete)'),
  };
}
