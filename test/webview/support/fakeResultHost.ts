import { FleetError } from '../../../src/core/api/errors';
import type { HostHandlers } from '../../../src/shared/protocol';
import type {
  ChartRequest,
  ResultChart,
  ResultNode,
  ResultProtocol,
  ResultStatus,
  ResultView,
} from '../../../src/shared/query/results';
import { cellTest } from '../../../src/core/query/results/cellTest';
import type { DataValue } from '../../../src/core/data/tables/dataValue';
import type { ValueCell, ValueColumn, ValueKind } from '../../../src/shared/tables';

type Row = Readonly<Record<string, unknown>>;

interface Span {
  readonly start: number;
  readonly end: number;
}

interface CellRequest extends ResultView {
  readonly rowIndex: number;
  readonly column?: string | undefined;
}

interface NodesRequest extends CellRequest, Span {
  readonly path: readonly string[];
}

const NOON = Date.UTC(2026, 10, 21, 12);

/** A result with a given number of generated rows. All messages from the page are in `sent`. */
export class FakeResultHost {
  readonly sent: (readonly [name: string, params?: unknown])[] = [];
  result = 'result 1';
  /** Number of rows that have arrived. */
  rows = 300;
  /** Other fields of the result's status. */
  status: Partial<ResultStatus> = {};
  /** Returns the contents of the row with the given number. */
  row: (number: number) => Row = (number) => ({
    time_received: new Date(NOON + number * 1_000),
    part_id: `part-${number % 3}`,
    data: { readings: { celsius: 20 + ((number * 7) % 10), note: `reading ${number}` } },
  });
  /** Types of columns by name. */
  types: Readonly<Record<string, string>> = {};
  /** Errors with which the next requests fail, by request name. */
  readonly failures = new Map<string, FleetError>();
  /** Delays sorting, searching, and filtering until it resolves. */
  beforeArranging: () => Promise<unknown> = () => Promise.resolve();
  /** Delays the response with the text of a cell or row until it resolves. */
  beforeText: () => Promise<unknown> = () => Promise.resolve();
  /** Delays the response with the values within a row until it resolves. */
  beforeNodes: () => Promise<unknown> = () => Promise.resolve();
  notify: (status: ResultStatus) => void = () => undefined;
  private readonly columns: ValueColumn[] = [];
  private readonly orders = new Map<string, readonly number[]>();

  /** Sends the status of the result. */
  notifyStatus(): void {
    this.notify({
      result: this.result,
      state: 'complete',
      rows: this.rows,
      bytes: this.rows * 500,
      elapsedMs: 1_234,
      firstRowMs: 56,
      columns: this.columns.length,
      hasOverflow: false,
      ...this.status,
    });
  }

  getSent(name: keyof ResultProtocol): readonly unknown[] {
    return this.sent.filter(([one]) => one === name).map(([, params]) => params);
  }

  /** The protocol's handlers, each of which records its input. */
  get handlers(): HostHandlers<ResultProtocol> {
    const noted = Object.entries(this.answers).map(([name, answer]) => {
      const noting = (params: never, signal: never): unknown => {
        this.sent.push([name, params]);
        const failure = this.failures.get(name);
        this.failures.delete(name);
        const own = answer as (params: never, signal: never) => unknown;
        return failure ? Promise.reject(failure) : own(params, signal);
      };
      return [name, noting] as const;
    });
    return Object.fromEntries(noted) as unknown as HostHandlers<ResultProtocol>;
  }

  private readonly answers: HostHandlers<ResultProtocol> = {
    cancelResult: () => undefined,
    copyResultCell: () => undefined,
    copyResult: () => undefined,
    exportResult: () => undefined,
    saveChart: () => undefined,
    actOnProblem: () => undefined,
    arrangeResult: async (view) => {
      await this.beforeArranging();
      this.orders.delete(JSON.stringify(view));
      return { rows: this.getRowOrder(view).length, among: this.rows };
    },
    resultRows: ({ start, end, columns, ...view }) => {
      const rows = this.getRowIndexes(view, start, end).map((number) => ({
        cells: this.cells(number),
      }));
      const types = this.columns.map(({ name }) => this.types[name] ?? '');
      return Promise.resolve({ start, rows, columns: this.columns.slice(columns), types });
    },
    resultText: async ({ rowIndex, column, ...view }: CellRequest) => {
      await this.beforeText();
      const [number = 0] = this.getRowIndexes(view, rowIndex, rowIndex + 1);
      const value = column === undefined ? this.row(number) : this.getCellValue(number, column);
      const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
      return { text: text.slice(0, 100_000), characters: text.length };
    },
    resultNodes: async ({ rowIndex, column, path, start, end, ...view }: NodesRequest) => {
      await this.beforeNodes();
      const [number = 0] = this.getRowIndexes(view, rowIndex, rowIndex + 1);
      const whole = column === undefined ? this.row(number) : this.getCellValue(number, column);
      const value = path.reduce<unknown>((within, key) => (within as Row)[key], whole);
      const all = Object.entries(value as Row);
      const nodes = all.slice(start, end).map(([key, one]) => toNode(key, one));
      return { nodes, size: all.length };
    },
    profileResult: () => Promise.resolve({ columns: this.profile() }),
    chartResult: (request) => Promise.resolve(this.chart(request)),
  };

  private profile() {
    const numbers = Array.from({ length: Math.min(this.rows, 500) }, (_, number) => number);
    for (const number of numbers) this.cells(number);
    return this.columns.map((column) => {
      const values = numbers.map((number) => this.getCellValue(number, column.id));
      const count = (kind: ValueKind): number =>
        values.filter((value) => getValueKind(value) === kind).length;
      const texts = new Set(values.filter((value) => typeof value === 'string'));
      return {
        ...column,
        numbers: count('number'),
        times: count('time'),
        texts: Math.min(12, texts.size),
      };
    });
  }

  private chart({ kind, x, y, series, ...view }: ChartRequest): ResultChart {
    const numbers = this.getRowOrder(view);
    const across = numbers.map((number, index) =>
      x === undefined ? index : this.getCellValue(number, x),
    );
    const labels = [...new Set(across.filter((value) => typeof value === 'string'))];
    const lines = new Map<string, { x: number; y: number }[]>();
    let count = 0;
    numbers.forEach((number, index) => {
      const at = across[index];
      for (const column of y) {
        const ofSeries = series === undefined ? [] : [String(this.getCellValue(number, series))];
        const name = [
          ...(ofSeries.length === 0 || y.length > 1 ? [this.getColumnName(column)] : []),
          ...ofSeries,
        ];
        const points = lines.get(name.join(' ')) ?? [];
        lines.set(name.join(' '), points);
        const point = {
          x: typeof at === 'string' ? labels.indexOf(at) : Number(at),
          y: Number(this.getCellValue(number, column)),
        };
        count += 1;
        const same = kind === 'bar' ? points.find((one) => one.x === point.x) : undefined;
        if (same) same.y += point.y;
        else points.push(point);
      }
    });
    const isText = labels.length > 0;
    return {
      xKind: isText ? 'text' : across[0] instanceof Date ? 'time' : 'number',
      labels,
      series: [...lines].map(([name, points]) => createSeries(name, points)),
      leftOut: 0,
      thinned: false,
      rows: numbers.length,
      numbers: count,
      addedUp: [...lines.values()].reduce((sum, points) => sum + points.length, 0) < count,
    };
  }

  private getRowIndexes(view: ResultView, start: number, end: number): readonly number[] {
    if (view.result !== this.result) throw new FleetError('notFound', 'It is not kept any more.');
    const { sort, find, filters } = view;
    if (sort || find !== undefined || filters) return this.getRowOrder(view).slice(start, end);
    const length = Math.max(0, Math.min(end, this.rows) - start);
    return Array.from({ length }, (_, index) => start + index);
  }

  private getRowOrder({ result, sort, find, filters = [] }: ResultView): readonly number[] {
    const all = Array.from({ length: this.rows }, (_, number) => number);
    if (!sort && find === undefined && filters.length === 0) return all;
    const key = JSON.stringify({ result, sort, find, ...(filters.length > 0 && { filters }) });
    const known = this.orders.get(key);
    if (known) return known;
    const has = (number: number, text: string): boolean =>
      this.cells(number).some((cell) => cell.text.toLowerCase().includes(text.toLowerCase()));
    const tests = filters.map((filter) => ({ ...filter, test: cellTest(filter) }));
    const met = all.filter((number) =>
      tests.every(({ column, test }) =>
        test(this.getCellValue(number, column) as DataValue | undefined),
      ),
    );
    const found = find === undefined ? met : met.filter((number) => has(number, find));
    const made = sort ? found.toSorted((a, b) => this.compare(a, b, sort.column)) : found;
    if (sort?.descending) made.reverse();
    this.orders.set(key, made);
    return made;
  }

  private compare(a: number, b: number, column: string): number {
    const [one, other] = [this.getCellValue(a, column), this.getCellValue(b, column)];
    if (typeof one === 'string') return one.localeCompare(String(other));
    return Number(one) - Number(other);
  }

  private cells(number: number): readonly ValueCell[] {
    return flattened(this.row(number)).map(([name, value]) => {
      const known = this.columns.find((column) => column.name === name);
      const column = known ?? { id: `c${this.columns.length}`, name };
      if (!known) this.columns.push(column);
      return { column: column.id, kind: getValueKind(value), text: formatValue(value) };
    });
  }

  private getCellValue(number: number, column: string): unknown {
    const name = this.getColumnName(column);
    return flattened(this.row(number)).find(([one]) => one === name)?.[1];
  }

  private getColumnName(id: string): string {
    return this.columns[Number(id.slice(1))]?.name ?? '';
  }
}

function createSeries(name: string, points: readonly { readonly x: number; readonly y: number }[]) {
  const values = points.map(({ y }) => y);
  return {
    name,
    points: points.length,
    first: values[0] ?? 0,
    last: values.at(-1) ?? 0,
    least: Math.min(...values),
    greatest: Math.max(...values),
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    x: new Float64Array(points.map(({ x }) => x)).buffer,
    y: new Float64Array(values).buffer,
  };
}

function isBranch(value: unknown): value is Row {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}

function flattened(row: Row, before = ''): readonly (readonly [string, unknown])[] {
  return Object.entries(row).flatMap(([key, value]) =>
    isBranch(value) ? flattened(value, `${before}${key}.`) : [[before + key, value] as const],
  );
}

function getValueKind(value: unknown): ValueKind {
  if (value instanceof Date) return 'time';
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') {
    return typeof value as 'number' | 'boolean';
  }
  return typeof value === 'string' ? 'text' : 'json';
}

function formatValue(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value.slice(0, 200) : JSON.stringify(value);
}

function toNode(key: string, value: unknown): ResultNode {
  if (Array.isArray(value)) return { key, kind: 'list', text: '', size: value.length };
  if (isBranch(value)) return { key, kind: 'object', text: '', size: Object.keys(value).length };
  return { key, kind: getValueKind(value), text: formatValue(value) };
}
