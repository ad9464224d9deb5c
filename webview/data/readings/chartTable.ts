import type { ChartLine } from '../../../src/shared/data/readings';
import type { ReadingStrings } from '../../../src/shared/data/readingStrings';
import { element } from '../../ui/elements';
import { lineSample, lineStyle } from './lineStyles';

/** The table that says in numbers what the chart shows, and which line is which. */
export class ChartTable {
  readonly element: HTMLElement;
  private readonly table = element('table', { class: 'latest-table chart-table' });
  private readonly number: Intl.NumberFormat;

  constructor(
    private readonly strings: ReadingStrings['chart'],
    locale: string | undefined,
  ) {
    this.number = new Intl.NumberFormat(locale, { maximumSignificantDigits: 6 });
    this.element = element(
      'div',
      { class: 'latest-scroller', role: 'region', tabindex: '0', 'aria-label': strings.table },
      this.table,
    );
    this.table.setAttribute('aria-label', strings.table);
  }

  text(value: number): string {
    const { number } = this;
    const size = Math.abs(value);
    const isFar = size >= 1e15 || (size > 0 && size < 1e-6);
    return isFar ? value.toExponential(5) : number.format(value);
  }

  show(lines: readonly ChartLine[]): void {
    const { series, count, least, greatest, mean, first, last } = this.strings;
    const names = [series, count, least, greatest, mean, first, last];
    const head = names.map((name) => element('th', { scope: 'col' }, name));
    this.table.replaceChildren(
      element('thead', {}, element('tr', {}, ...head)),
      element('tbody', {}, ...lines.map((line, index) => this.row(line, index))),
    );
  }

  private row(line: ChartLine, index: number): HTMLElement {
    const style = lineStyle(index);
    const { points, least, greatest, mean, first, last } = line;
    const values = [least, greatest, mean, first, last].map((value) =>
      element('td', { class: 'kind-number' }, this.text(value)),
    );
    const name = element('th', { scope: 'row' }, `${style.letter} `);
    name.append(
      lineSample(style),
      element('span', { dir: 'auto' }, ` ${line.name} `),
      element('span', { class: 'faint', dir: 'auto' }, line.resource),
    );
    const count = element('td', { class: 'kind-number' }, this.number.format(points));
    return element('tr', {}, name, count, ...values);
  }
}
