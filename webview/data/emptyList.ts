import { button, element } from '../ui/elements';
import type { DataContext } from './dataContext';

interface EmptyListStrings {
  /** Said when a filter was set. */
  readonly empty: string;
  /** Said when nothing was filtered out. */
  readonly nothingYet: string;
}

/**
 * Returns what stands in place of an empty list: one sentence, and a button that does something about it.
 * @param clearFilter absent when the filter is that of the panel's target
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
