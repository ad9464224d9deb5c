import * as l10n from '@vscode/l10n';
import { elementNames } from './designSystem';

/** Child of an element. Strings become text nodes, never markup. */
export type Child = Node | string | undefined;

/** Creates an element with attributes and children; skips undefined attributes. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  fill(made, attributes, children);
  return made;
}

/** Sets an attribute only if its value differs, because browsers process every assignment. */
export function updateAttribute(target: Element, name: string, value: string): void {
  if (target.getAttribute(name) !== value) target.setAttribute(name, value);
}

/** Options that identify a control so that it can be found again after a redraw. */
export interface ControlOptions {
  readonly focusKey: string;
}

/** Creates a push button; `primary` highlights it as the most likely choice. */
export function button(
  label: string,
  onPress: () => void,
  options: ControlOptions & { readonly primary?: boolean },
): HTMLElement {
  const made = document.createElement(elementNames.button);
  const appearance = options.primary ? 'primary' : 'secondary';
  fill(made, { appearance, 'data-focus': options.focusKey }, [label]);
  made.addEventListener('click', () => {
    if (!made.hasAttribute('disabled')) onPress();
  });
  return made;
}

/** Creates a small inline button for an action on one row; `hint` is the full description. */
export function textButton(
  label: string,
  onPress: () => void,
  { focusKey, hint }: ControlOptions & { readonly hint: string },
): HTMLButtonElement {
  const focus = { 'data-focus': focusKey };
  const made = element(
    'button',
    { type: 'button', class: 'text-button', title: hint, ...focus },
    label,
  );
  made.addEventListener('click', onPress);
  return made;
}

/** A checkbox whose state the app can also change. */
export interface Checkbox {
  readonly element: HTMLElement;
  setChecked(checked: boolean): void;
}

/** Creates a checkbox without a visible label; screen readers read `label`. */
export function checkbox(
  label: string,
  checked: boolean,
  onChange: (checked: boolean) => void,
  { focusKey }: ControlOptions,
): Checkbox {
  // The component set's checkboxes have this property, but the DOM types don't declare it.
  const made: HTMLElement & { checked?: boolean } = document.createElement(elementNames.checkbox);
  fill(made, { 'aria-label': label, 'data-focus': focusKey }, []);
  const setChecked = (value: boolean): void => {
    if (made.checked !== value) made.checked = value;
  };
  setChecked(checked);
  let announced = checked;
  made.addEventListener('change', () => {
    const now = made.checked === true;
    if (now === announced) return;
    announced = now;
    onChange(now);
  });
  return {
    element: made,
    setChecked: (value) => {
      announced = value;
      setChecked(value);
    },
  };
}

/**
 * Redraws and restores focus to the control that had it. `choose` receives that control's key and
 * can return the key of a different control to focus.
 */
export function redrawKeepingFocus(
  root: HTMLElement,
  draw: () => void,
  choose: (focusKey: string) => HTMLElement | undefined,
): void {
  const active = document.activeElement;
  const focused = active instanceof HTMLElement && root.contains(active) ? active : undefined;
  const key = focused?.closest<HTMLElement>('[data-focus]')?.dataset.focus;
  draw();
  if (key === undefined) return;
  const same = `[data-focus="${CSS.escape(key)}"]`;
  // If the same control keeps the focus, the user can have scrolled away from it.
  const preventScroll = choose(key) === undefined;
  focusOnReturn(() => choose(key) ?? root.querySelector<HTMLElement>(same), { preventScroll });
}

/**
 * Replaces an element's children without detaching the children that stay. A detached element loses
 * focus and a click that has begun on it.
 */
export function updateChildren(parent: HTMLElement, children: readonly HTMLElement[]): void {
  const staying = new Set<Element>(children);
  for (const child of [...parent.children]) if (!staying.has(child)) child.remove();
  for (const [index, child] of children.entries()) {
    const present = parent.children[index] ?? null;
    if (present !== child) parent.insertBefore(child, present);
  }
}

/** Sets an element's text, unless it is the same, because setting it would replace the text node. */
export function updateText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Creates a ring that spins during an operation; screen readers read `label`. */
export function progressRing(label: string): HTMLElement {
  const made = document.createElement(elementNames.progressRing);
  made.setAttribute('aria-label', label);
  return made;
}

function fill(
  made: HTMLElement,
  attributes: Readonly<Record<string, string | undefined>>,
  children: readonly Child[],
): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== undefined));
}

/**
 * Creates a note that the page's connection is read-only. Returns undefined if there is no reason,
 * because changes are allowed then.
 */
export function readOnlyNote(reason: string | undefined): HTMLElement | undefined {
  if (reason === undefined) return undefined;
  const text = l10n.t('Read-only');
  const made = element('span', { class: 'badge read-only', title: reason }, lockIcon(), text);
  // Screen readers don't announce the titles of elements without a role.
  made.append(element('span', { class: 'visually-hidden' }, reason));
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';

function lockIcon(): SVGSVGElement {
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('viewBox', '0 0 16 16');
  icon.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(SVG, 'path');
  shape.setAttribute('d', 'M5 7V5a3 3 0 0 1 6 0v2h1v7H4V7zm1.5 0h3V5a1.5 1.5 0 0 0-3 0z');
  icon.append(shape);
  return icon;
}

interface ToolOptions {
  readonly focusKey: string;
  /** Full description of the action, shown as a tooltip. */
  readonly hint?: string;
  readonly class?: string;
}

/** Creates a small toolbar button. */
export function toolButton(
  label: Child,
  onPress: () => void,
  { focusKey, hint, class: name }: ToolOptions,
): HTMLButtonElement {
  const made = element(
    'button',
    {
      type: 'button',
      class: name === undefined ? 'tool' : `tool ${name}`,
      title: hint,
      'data-focus': focusKey,
    },
    label,
  );
  made.addEventListener('click', onPress);
  return made;
}

/** A small button that is on or off; the app can also change its state. */
export interface ToggleButton {
  readonly element: HTMLButtonElement;
  setOn(on: boolean): void;
}

export function toggleButton(
  label: Child,
  onChange: (on: boolean) => void,
  options: ToolOptions,
): ToggleButton {
  const made = toolButton(label, () => onChange(made.getAttribute('aria-pressed') !== 'true'), {
    ...options,
    class: options.class === undefined ? 'toggle' : `toggle ${options.class}`,
  });
  const setOn = (on: boolean): void => made.setAttribute('aria-pressed', String(on));
  setOn(false);
  return { element: made, setOn };
}

/**
 * Returns an ID that is unique on the page even if the page has multiple elements of the same kind.
 */
export function uniqueId(kind: string): string {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `${kind}-${number.toString(36)}`;
}

/**
 * If focus was in the page, moves it to an element, either immediately or when the user returns to
 * the page. The element is looked up at that time. Focusing an element while the user types
 * elsewhere would move keyboard focus to this page. To focus an element for the first time, use
 * `focusWhenHere`.
 */
function focusOnReturn(
  find: () => HTMLElement | null | undefined,
  options: FocusOptions = {},
): void {
  if (document.hasFocus()) {
    find()?.focus(options);
  } else {
    const comeBack = (): void => {
      if (document.activeElement === document.body) find()?.focus({ preventScroll: true });
    };
    addEventListener('focus', comeBack, { once: true });
  }
}

/**
 * Redraws and, if the focused element is no longer visible, moves focus to the element that `next`
 * returns.
 */
export function passingFocusOn(draw: () => void, next: () => HTMLElement | null | undefined): void {
  const focused = document.activeElement;
  draw();
  if (!focused || focused === document.body || focused.checkVisibility()) return;
  const now = document.activeElement;
  if (now && now !== focused && now !== document.body) return;
  focusOnReturn(next);
}

/** Time in milliseconds to wait for a user who is about to enter the page. */
const FOCUS_TIMEOUT_MS = 3_000;

/**
 * Focuses a part of the page once the page has keyboard focus. A VS Code page that focuses one of
 * its elements takes keyboard focus away from anything the user opened in the meantime, such as the
 * command palette. Therefore, a late request waits until VS Code focuses the page, and is dropped
 * if VS Code doesn't do so in time.
 */
export function focusWhenHere(focus: () => void): void {
  if (document.hasFocus()) {
    focus();
    return;
  }
  const came = (): void => {
    clearTimeout(timer);
    focus();
  };
  const timer = setTimeout(() => window.removeEventListener('focus', came), FOCUS_TIMEOUT_MS);
  window.addEventListener('focus', came, { once: true });
}

/**
 * Closes a part of the page when the user presses Escape while the part has focus. Surrounding
 * parts stay open.
 */
export function closeOnEscape(element: HTMLElement, close: () => void): void {
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    close();
  });
}
