import { FleetError } from '../../../src/core/api/errors';
import type { HostHandlers } from '../../../src/shared/protocol';
import type {
  ResultCell,
  ResultProtocol,
  ResultRow,
  ResultStatus,
} from '../../../src/shared/query/results';

export interface FakeResult {
  readonly rows: number;
  /** Names, which are their ids as well. */
  readonly columns: readonly string[];
  readonly cellAt: (row: number, column: string) => ResultCell | undefined;
}

/** A result of made-up rows: a time, a name, and a number. */
export function numberedResult(rows: number): FakeResult {
  return {
    ...{ rows, columns: ['time_received', 'component_name', 'data.readings.celsius'] },
    cellAt: (row, column) => {
      const at = new Date(Date.UTC(2026, 10, 21, 12, 0, 0) - row * 1_000).toISOString();
      if (column === 'time_received') return { column, kind: 'time', text: at };
      if (column === 'component_name') return { column, kind: 'text', text: `mast-${row % 7}` };
      return { column, kind: 'number', text: String(row % 50) };
    },
  };
}

/** How far a result of so many rows is when all came. */
export function completeStatus(result: string, { rows, columns }: FakeResult): ResultStatus {
  return {
    ...{ result, state: 'complete', rows, bytes: rows * 120, columns: columns.length },
    ...{ firstRowMs: 12, elapsedMs: 340, further: false },
  };
}

/** Results by their ids, in the order in which their rows came: they are not sorted, searched or drawn. */
export class FakeResults {
  readonly results = new Map<string, FakeResult>();

  /** Commands do nothing; who needs them answers them. */
  readonly handlers: HostHandlers<ResultProtocol> = {
    arrangeResult: ({ result }) => this.with(result, ({ rows }) => ({ rows })),
    resultRows: ({ result, start, end, columns: known }) =>
      this.with(result, ({ rows, columns, cellAt }) => {
        const length = Math.max(0, Math.min(end, rows) - start);
        const row = (place: number): ResultRow => ({
          cells: columns.flatMap((column) => cellAt(place, column) ?? []),
        });
        const further = columns.slice(known).map((name) => ({ id: name, name }));
        const read = Array.from({ length }, (_, index) => row(start + index));
        return { start, rows: read, columns: further };
      }),
    resultText: ({ result, place, column }) =>
      this.with(result, ({ cellAt }) => {
        const text = column === undefined ? '{}' : (cellAt(place, column)?.text ?? '');
        return { text, characters: text.length };
      }),
    resultNodes: ({ result, place }) =>
      this.with(result, ({ columns, cellAt }) => {
        const nodes = columns.flatMap((key) => {
          const cell = cellAt(place, key);
          return cell ? [{ key, kind: cell.kind, text: cell.text }] : [];
        });
        return { nodes, size: nodes.length };
      }),
    profileResult: ({ result }) =>
      this.with(result, ({ columns }) => ({
        columns: columns.map((name) => ({ id: name, name, numbers: 0, times: 0, texts: 0 })),
      })),
    chartResult: ({ result }) =>
      this.with(result, () => ({
        ...{ xKind: 'number' as const, labels: [], series: [], leftOut: 0, thinned: false },
      })),
    cancelResult: () => undefined,
    copyResultCell: () => undefined,
    copyResult: () => undefined,
    exportResult: () => undefined,
    saveChart: () => undefined,
    actOnProblem: () => undefined,
  };

  private with<T>(id: string, answer: (result: FakeResult) => T): Promise<T> {
    const result = this.results.get(id);
    if (result) return Promise.resolve(answer(result));
    return Promise.reject(new FleetError('notFound', 'This result is not kept any more.'));
  }
}
