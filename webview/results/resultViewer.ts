import { type CellTarget, CellViewer } from '../ui/table/cellViewer';
import type { AmountFormatter } from './amountFormatter';
import type { Arrangement } from './arrangement';
import type { ResultsContext } from './resultsContext';
import type { ResultStrings } from '../../src/shared/query/resultStrings';
import type { MenuItem } from '../ui/menuButton';
import type { ResultTable } from './resultTable';

interface ResultViewerOptions {
  /** Prefix for the IDs of the viewer's elements; unique on the page. */
  readonly id: string;
  readonly context: ResultsContext;
  readonly arrangement: Arrangement;
  readonly amounts: AmountFormatter;
  readonly copy: (viewed: CellTarget) => void;
  readonly closed: () => void;
  /** Shows a row as a tree. */
  readonly showTree: (rowIndex: number) => void;
  readonly failed: (error: unknown) => void;
}

/** Creates a viewer that shows a cell or row of a result in full. */
export function makeResultViewer(options: ResultViewerOptions): CellViewer {
  const { id, context, arrangement, amounts, copy, closed, showTree, failed } = options;
  const { viewer } = context.strings;
  return new CellViewer({
    id,
    strings: viewer,
    copy,
    closed,
    failed,
    read: ({ rowIndex, column }) => {
      const ofColumn = column === undefined ? {} : { column };
      return context.host.request('resultText', {
        ...arrangement.view,
        rowIndex,
        ...ofColumn,
      });
    },
    numberText: (value) => amounts.number(value),
    extraAction: {
      label: viewer.showTree,
      onPress: ({ rowIndex }) => showTree(rowIndex),
    },
  });
}

interface MenuContext {
  readonly labels: ResultStrings['tools'];
  readonly arrangement: Arrangement;
  readonly table: ResultTable;
  readonly isTableShown: boolean;
}

/** Creates the menu for the less common actions on a result. */
export function resultMenu({
  labels,
  arrangement,
  table,
  isTableShown,
}: MenuContext): readonly MenuItem[] {
  const enabled = isTableShown && arrangement.count > 0;
  const inOrder = (): void => arrangement.setSort(undefined);
  return [
    { label: labels.originalOrder, checked: arrangement.sort === undefined, onPress: inOrder },
    { label: labels.copyCell, enabled, onPress: () => table.copyCell() },
    { label: labels.copyRows, enabled, onPress: () => table.copyRows('tsv') },
    { label: labels.copyRowsAsJson, enabled, onPress: () => table.copyRows('json') },
    { label: labels.copyRowsAsMarkdown, enabled, onPress: () => table.copyRows('markdown') },
  ];
}
