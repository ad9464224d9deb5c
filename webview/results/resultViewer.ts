import * as l10n from '@vscode/l10n';
import { type CellTarget, CellViewer } from '../ui/table/cellViewer';
import type { AmountFormatter } from './resultFormat';
import type { Arrangement } from './arrangement';
import type { ResultsContext } from './resultsContext';
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

/** Creates a viewer that shows a cell or row in a result in full. */
export function makeResultViewer(options: ResultViewerOptions): CellViewer {
  const { id, context, arrangement, amounts, copy, closed, showTree, failed } = options;
  return new CellViewer({
    id,
    emptyContent: l10n.t('This row has no value in this column.'),
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
      label: l10n.t('Show as Tree'),
      onPress: ({ rowIndex }) => showTree(rowIndex),
    },
  });
}

interface MenuContext {
  readonly arrangement: Arrangement;
  readonly table: ResultTable;
  readonly isTableShown: boolean;
}

/** Creates the menu for the less common actions on a result. */
export function resultMenu({ arrangement, table, isTableShown }: MenuContext): readonly MenuItem[] {
  const enabled = isTableShown && arrangement.count > 0;
  const inOrder = (): void => arrangement.setSort(undefined);
  return [
    {
      label: l10n.t('Order as Returned by the Query'),
      checked: arrangement.sort === undefined,
      onPress: inOrder,
    },
    { label: l10n.t('Copy Cell'), enabled, onPress: () => table.copyCell() },
    { label: l10n.t('Copy Rows with Headers'), enabled, onPress: () => table.copyRows('tsv') },
    { label: l10n.t('Copy Rows as JSON'), enabled, onPress: () => table.copyRows('json') },
    { label: l10n.t('Copy Rows as Markdown'), enabled, onPress: () => table.copyRows('markdown') },
  ];
}
