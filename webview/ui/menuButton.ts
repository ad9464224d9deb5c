import { element, toolButton } from './elements';

export interface MenuItem {
  readonly label: string;
  readonly onPress: () => void;
  readonly enabled?: boolean;
  /** State of an item that can be on or off; absent for other items. */
  readonly checked?: boolean;
}

/** Minimum distance, in pixels, between a menu and the edge of the page. */
const MARGIN = 4;

/**
 * Creates a button that opens a menu with the standard menu keys. The items are requested each time
 * the menu opens.
 */
export function menuButton(
  label: string,
  items: () => readonly MenuItem[],
  { focusKey }: { readonly focusKey: string },
): HTMLElement {
  const menu = element('div', { class: 'menu', role: 'menu', 'aria-label': label });
  menu.hidden = true;
  const opener = toolButton(label, () => (menu.hidden ? open() : close()), {
    focusKey,
    class: 'opens-menu',
  });
  opener.setAttribute('aria-haspopup', 'menu');
  const made = element('div', { class: 'menu-anchor' }, opener, menu);

  function show(shown: boolean): void {
    menu.hidden = !shown;
    opener.setAttribute('aria-expanded', String(shown));
  }
  function open(): void {
    menu.replaceChildren(...items().map((item) => drawItem(item, close)));
    show(true);
    fitMenuInPage(menu);
    focusItem(menu, 0);
  }
  function close(): void {
    show(false);
    opener.focus();
  }
  show(false);
  opener.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' || !menu.hidden) return;
    event.preventDefault();
    open();
  });
  menu.addEventListener('keydown', (event) => moveInMenu(event, menu, close));
  made.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node) || !made.contains(relatedTarget)) show(false);
  });
  return made;
}

/**
 * Moves a menu into the page if its button is too close to an edge, for example in a toolbar that
 * wraps.
 */
function fitMenuInPage(menu: HTMLElement): void {
  menu.style.removeProperty('translate');
  menu.style.removeProperty('max-height');
  const page = document.documentElement;
  const { left, right, top } = menu.getBoundingClientRect();
  const shift = Math.max(MARGIN - left, 0) || Math.min(page.clientWidth - MARGIN - right, 0);
  menu.style.translate = `${shift}px`;
  menu.style.maxHeight = `${page.clientHeight - MARGIN - top}px`;
}

function drawItem({ label, onPress, enabled, checked }: MenuItem, close: () => void): HTMLElement {
  const made = element(
    'button',
    {
      type: 'button',
      class: 'menu-item',
      tabindex: '-1',
      role: checked === undefined ? 'menuitem' : 'menuitemcheckbox',
      'aria-checked': checked === undefined ? undefined : String(checked),
      'aria-disabled': enabled === false ? 'true' : undefined,
    },
    label,
  );
  made.addEventListener('click', () => {
    if (enabled === false) return;
    // Close the menu first, so that the item's action can move focus elsewhere.
    close();
    onPress();
  });
  return made;
}

function moveInMenu(event: KeyboardEvent, menu: HTMLElement, close: () => void): void {
  const items = [...menu.children];
  const at = items.findIndex((item) => item === document.activeElement);
  const indexByKey: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: items.length - 1,
  };
  const index = indexByKey[event.key];
  if (index !== undefined) focusItem(menu, index);
  else if (event.key === 'Escape') close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function focusItem(menu: HTMLElement, index: number): void {
  const items = [...menu.children];
  const item = items.at(index % items.length);
  if (item instanceof HTMLElement) item.focus();
}
