import { type Child, element } from './elements';

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
      ...{ type: 'button', class: name === undefined ? 'tool' : `tool ${name}` },
      ...{ title: hint, 'data-focus': focusKey },
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
