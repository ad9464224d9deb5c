import { element } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import { toolButton } from '../../ui/toolButton';

/** Maximum length of a tooltip, in characters. */
const MAX_HINT_LENGTH = 500;

interface ChipOptions {
  readonly key: string;
  readonly text: string;
  readonly hint?: string | undefined;
  /** {0} is the value to remove. */
  readonly removeText: string;
  /** Absent if the value can't be removed. */
  readonly onRemove?: (() => void) | undefined;
}

/**
 * A value with a button that removes it. Long texts are cut off by the style sheet and shown in the
 * tooltip.
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
