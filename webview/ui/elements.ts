import { elementNames } from './designSystem';
import { focusOnReturn } from './focusOnReturn';

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
  // The checkboxes of the component set have this property, but the DOM types don't declare it.
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
 * Redraws and restores the focus to the control that had it. `choose` receives the key of that
 * control and can return the key of a different control to focus.
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
  focusOnReturn(() => choose(key) ?? root.querySelector<HTMLElement>(same));
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
