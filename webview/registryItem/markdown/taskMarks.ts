import type { MarkdownStrings } from '../../../src/shared/registryItemStrings';
import { element } from '../../ui/elements';

/** Replaces the checkboxes of task lists with text marks and removes other form fields. */
export function replaceCheckboxes(
  content: DocumentFragment,
  { done, notDone }: MarkdownStrings,
): void {
  for (const field of content.querySelectorAll('input')) {
    const isTask = field.closest('li') !== null;
    const isDone = field.hasAttribute('checked');
    if (isTask) field.replaceWith(taskMark(isDone ? '☑' : '☐', isDone ? done : notDone));
    else field.remove();
  }
}

function taskMark(mark: string, label: string): HTMLElement {
  return element('span', { class: 'task', role: 'img', 'aria-label': label }, mark);
}
