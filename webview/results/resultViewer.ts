import { CellViewer, type CellTarget } from '../ui/table/cellViewer';
import type { AmountFormatter } from './resultStatusLine';
import type { Arrangement } from './arrangement';
import type { ResultsContext } from './resultsContext';

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
    ...{ id, strings: viewer, copy, closed, failed },
    read: ({ rowIndex: place, column }) => {
      const ofColumn = column === undefined ? {} : { column };
      return context.host.request('resultText', {
        ...arrangement.view,
        rowIndex: place,
        ...ofColumn,
      });
    },
    numberText: (value) => amounts.number(value),
    extraAction: { label: viewer.showTree, onPress: ({ rowIndex: place }) => showTree(place) },
  });
}
