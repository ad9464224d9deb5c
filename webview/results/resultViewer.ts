import { CellViewer, type ViewedText } from '../ui/table/cellViewer';
import type { AmountText } from './amountText';
import type { Arrangement } from './arrangement';
import type { ResultsContext } from './resultsContext';

interface ResultViewerOptions {
  /** Begins the ids of what is in it; no other on the page has it. */
  readonly id: string;
  readonly context: ResultsContext;
  readonly arrangement: Arrangement;
  readonly amounts: AmountText;
  readonly copy: (viewed: ViewedText) => void;
  readonly closed: () => void;
  /** Shows a row as a tree. */
  readonly showTree: (place: number) => void;
  readonly failed: (error: unknown) => void;
}

/** A cell or row of a result as a whole. */
export function makeResultViewer(options: ResultViewerOptions): CellViewer {
  const { id, context, arrangement, amounts, copy, closed, showTree, failed } = options;
  const { viewer } = context.strings;
  return new CellViewer({
    ...{ id, strings: viewer, copy, closed, failed },
    read: ({ place, column }) => {
      const ofColumn = column === undefined ? {} : { column };
      return context.host.request('resultText', { ...arrangement.view, place, ...ofColumn });
    },
    numberText: (value) => amounts.number(value),
    further: { label: viewer.showTree, onPress: ({ place }) => showTree(place) },
  });
}
