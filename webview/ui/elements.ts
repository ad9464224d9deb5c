import { elementNames } from './designSystem';
import { focusOnReturn } from './focusOnReturn';

/** What stands inside an element. Strings become text nodes, never markup. */
export type Child = Node | string | undefined;

/** Makes an element with attributes and children; attributes that are undefined are left out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  fill(made, attributes, children);
  return made;
}

/** How a control is found again after its surroundings were redrawn. */
export interface ControlOptions {
  readonly focusKey: string;
}

/** A push button; `primary` for the one a person most likely wants. */
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

/** A small button inside text, for what can be done with one row; `hint` says it in full. */
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

/** A checkbox that the app can also set. */
export interface Checkbox {
  readonly element: HTMLElement;
  setChecked(checked: boolean): void;
}

/** A checkbox without a visible label; `label` is what a screen reader says. */
export function checkbox(
  label: string,
  checked: boolean,
  onChange: (checked: boolean) => void,
  { focusKey }: ControlOptions,
): Checkbox {
  // The component set gives its checkboxes this property; no DOM type tells of it.
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
 * Redraws and gives the focus back to the control that had it. `choose` may name another one, by the
 * key of the control that had the focus.
 */
export function keepingFocus(
  root: HTMLElement,
  draw: () => void,
  choose: (focusKey: string) => HTMLElement | undefined,
): void {
  const active = document.activeElement;
  const held = active instanceof HTMLElement && root.contains(active) ? active : undefined;
  const key = held?.closest<HTMLElement>('[data-focus]')?.dataset.focus;
  draw();
  if (key === undefined) return;
  const same = `[data-focus="${CSS.escape(key)}"]`;
  focusOnReturn(() => choose(key) ?? root.querySelector<HTMLElement>(same));
}

/** A ring that turns while something is under way; `label` is what a screen reader says. */
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
