import { element } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import { toolButton } from '../../ui/toolButton';

/** Maximum length of a tooltip, in characters. */
const MAX_HINT_LENGTH = 500;

interface ChipOptions {
  readonly key: string;
  readonly text: string;
  readonly hint?: string | undefined;
  /** Label of the button that removes the value; {0} is the value. */
  readonly removeText: string;
  /** Called to remove the value; absent if it can't be removed. */
  readonly onRemove?: (() => void) | undefined;
}

/**
 * Creates a chip: a value with a button that removes it. The style sheet truncates long text; the
 * tooltip shows the full text.
 */
export function chip({ key, text, hint, removeText, onRemove }: ChipOptions): HTMLElement {
  const title = (hint ?? text).slice(0, MAX_HINT_LENGTH);
  const value = element('span', { class: 'chip-text', title }, text);
  const made = element('span', { class: 'filter-chip' }, value);
  if (onRemove) {
    const label = fillPlaceholders(removeText, text.slice(0, MAX_HINT_LENGTH));
    const remove = toolButton('×', onRemove, { focusKey: `remove ${key}`, class: 'chip-remove' });
    remove.setAttribute('aria-label', label);
    made.append(remove);
  }
  return made;
}
