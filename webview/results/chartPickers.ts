import * as l10n from '@vscode/l10n';
import { type ChartKind, chartKinds, type ProfiledColumn } from '../../src/shared/query/results';
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

  constructor(private readonly chosen: (change: Partial<ChartChoice>) => void) {
    this.kind = picker(l10n.t('Chart type'), 'chart kind', (value) => {
      const kind = chartKinds.find((one) => one === value);
      // A good x axis for lines is rarely a good x axis for bars.
      if (kind) this.chosen({ kind, x: undefined });
    });
    this.x = picker(l10n.t('X-axis'), 'chart x', (x) => this.chosen({ x }));
    this.series = picker(l10n.t('Split into series by'), 'chart series', (series) =>
      this.chosen({ series }),
    );
    this.elements = [this.kind.element, this.x.element, this.series.element];
  }

  show(
    columns: readonly ProfiledColumn[],
    { kind: chosen }: Pick<ChartChoice, 'kind'>,
    { x, series }: Pick<DrawnColumns, 'x' | 'series'>,
  ): void {
    const names = getChartKindNames();
    this.kind.offer(
      chartKinds.map((kind) => ({ value: kind, label: names[kind] })),
      chosen,
    );
    const across = acrossColumns(columns, chosen);
    this.x.offer([{ value: '', label: l10n.t('Row number') }, ...named(across)], x?.name ?? '');
    const naming = namingColumns(columns);
    this.series.offer(
      [{ value: '', label: l10n.t("Don't Split") }, ...named(naming)],
      series?.name ?? '',
    );
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

/** Returns the names of the chart types. */
function getChartKindNames(): Readonly<Record<ChartKind, string>> {
  return { line: l10n.t('Lines'), bar: l10n.t('Bars'), scatter: l10n.t('Points') };
}
