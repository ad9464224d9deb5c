import { button, element } from '../ui/elements';
import type { DataContext } from './dataContext';

interface EmptyListStrings {
  /** Message if the user has set a filter. */
  readonly empty: string;
  /** Message if the user hasn't set a filter. */
  readonly nothingYet: string;
}

/**
 * Creates the placeholder for an empty list: a sentence and, if possible, a button to clear the
 * filter or upload files.
 * @param clearFilter absent if the filter is that of the panel's target
 */
export function emptyList(
  { host, strings, canWrite }: Pick<DataContext, 'host' | 'strings' | 'canWrite'>,
  { empty, nothingYet }: EmptyListStrings,
  clearFilter: (() => void) | undefined,
): HTMLElement[] {
  if (clearFilter) {
    const { clearFilter: label } = strings.frame;
    return [
      element('p', {}, empty),
      button(label, clearFilter, { focusKey: 'clear empty filter', primary: true }),
    ];
  }
  const sentence = element('p', {}, nothingYet);
  if (!canWrite) return [sentence];
  const upload = (): void => host.send('chooseFiles', undefined);
  const { upload: label } = strings.drops;
  return [sentence, button(label, upload, { focusKey: 'upload first', primary: true })];
}
