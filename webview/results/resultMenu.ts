import type { ResultStrings } from '../../src/shared/query/resultStrings';
import type { MenuItem } from '../ui/menuButton';
import type { Arrangement } from './arrangement';
import type { ResultTable } from './resultTable';

interface MenuContext {
  readonly labels: ResultStrings['tools'];
  readonly arrangement: Arrangement;
  readonly table: ResultTable;
  readonly isTableShown: boolean;
}

/** Creates the menu for the less common actions on a result. */
export function resultMenu({
  labels: words,
  arrangement,
  table,
  isTableShown,
}: MenuContext): readonly MenuItem[] {
  const enabled = isTableShown && arrangement.count > 0;
  const inOrder = (): void => arrangement.setSort(undefined);
  return [
    { label: words.originalOrder, checked: arrangement.sort === undefined, onPress: inOrder },
    { label: words.copyCell, enabled, onPress: () => table.copyCell() },
    { label: words.copyRows, enabled, onPress: () => table.copyRows('tsv') },
    { label: words.copyRowsAsJson, enabled, onPress: () => table.copyRows('json') },
    { label: words.copyRowsAsMarkdown, enabled, onPress: () => table.copyRows('markdown') },
  ];
}
