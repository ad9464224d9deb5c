import { chartKinds, type ProfiledColumn } from '../../src/shared/query/results';
import type { ResultStrings } from '../../src/shared/query/resultStrings';
import { element } from '../ui/elements';
import { type ChartChoice, type DrawnColumns, acrossColumns, namingColumns } from './chartChoice';

interface Option {
  readonly value: string;
  readonly label: string;
}

interface Picker {
  readonly element: HTMLElement;
  offer(options: readonly Option[], chosen: string): void;
}

/** Maximum number of columns in a list; users don't scroll further down. */
const MAX_LISTED_COLUMNS = 500;

/** Controls to choose how a result is drawn. */
export class ChartPickers {
  readonly elements: readonly HTMLElement[];
  private readonly kind: Picker;
  private readonly x: Picker;
  private readonly series: Picker;

  constructor(
    private readonly strings: ResultStrings['chart'],
    private readonly chosen: (change: Partial<ChartChoice>) => void,
  ) {
    this.kind = picker(strings.kind, 'chart kind', (value) => {
      const kind = chartKinds.find((one) => one === value);
      // A good x axis for lines is rarely a good x axis for bars.
      if (kind) this.chosen({ kind, x: undefined });
    });
    this.x = picker(strings.x, 'chart x', (x) => this.chosen({ x }));
    this.series = picker(strings.seriesBy, 'chart series', (series) => this.chosen({ series }));
    this.elements = [this.kind.element, this.x.element, this.series.element];
  }

  show(
    columns: readonly ProfiledColumn[],
    { kind: chosen }: Pick<ChartChoice, 'kind'>,
    { x, series }: Pick<DrawnColumns, 'x' | 'series'>,
  ): void {
    const { kinds, rowNumber, noSeries } = this.strings;
    this.kind.offer(
      chartKinds.map((kind) => ({ value: kind, label: kinds[kind] })),
      chosen,
    );
    const across = acrossColumns(columns, chosen);
    this.x.offer([{ value: '', label: rowNumber }, ...named(across)], x?.name ?? '');
    const naming = namingColumns(columns);
    this.series.offer([{ value: '', label: noSeries }, ...named(naming)], series?.name ?? '');
  }
}

function named(columns: readonly ProfiledColumn[]): readonly Option[] {
  return columns.slice(0, MAX_LISTED_COLUMNS).map(({ name }) => ({ value: name, label: name }));
}

function picker(label: string, focusKey: string, choose: (value: string) => void): Picker {
  const select = element('select', { class: 'chart-select', 'data-focus': focusKey });
  select.addEventListener('change', () => choose(select.value));
  return {
    element: element('label', { class: 'chart-picker' }, element('span', {}, label), select),
    offer: (options, chosen) => {
      select.replaceChildren(
        ...options.map((option) => element('option', { value: option.value }, option.label)),
      );
      select.value = chosen;
    },
  };
}
