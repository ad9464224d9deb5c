import type { ReadingProgress } from '../../../src/shared/data/readings';
import type { ReadingStrings } from '../../../src/shared/data/readingStrings';
import { element } from '../../ui/elements';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import { toolButton } from '../../ui/toolButton';

/** Maximum number of rows that the host buffers; `Read All` stops there. */
export const MAX_READ_ROWS = 200_000;

export interface StatusFacts {
  readonly progress: ReadingProgress;
  readonly sorted: boolean;
  readonly selected: number;
  /** True while more rows are loading at the user's request. */
  readonly reading: boolean;
}

export interface StatusActions {
  readonly readMore: () => void;
  readonly stop: () => void;
  readonly numberText: (value: number) => string;
}

/** The status line below the table, with the numbers of loaded rows and of all rows, and notes. */
export class ReadingsStatus {
  readonly element = element('div', { class: 'readings-status' });
  private readonly text = element('span', { role: 'status' });
  private readonly more: HTMLButtonElement;
  private readonly stop: HTMLButtonElement;

  constructor(
    private readonly strings: ReadingStrings['status'],
    private readonly actions: StatusActions,
  ) {
    this.more = toolButton('', () => actions.readMore(), { focusKey: 'read more' });
    this.stop = toolButton(strings.stop, () => actions.stop(), { focusKey: 'stop reading' });
    this.element.append(this.text, this.more, this.stop);
    this.element.hidden = true;
  }

  show({ progress, sorted, selected, reading }: StatusFacts): void {
    const { strings, actions } = this;
    const { read, count, full, hasOverflow: further } = progress;
    const [readText, countText] = [actions.numberText(read), actions.numberText(count)];
    const isAll = read >= count;
    const main = sorted && !isAll ? strings.sorted : isAll ? strings.all : strings.read;
    const texts = [fillPlaceholders(reading ? strings.reading : main, readText, countText)];
    if (full) texts.push(strings.full);
    if (further) texts.push(strings.overflow);
    if (selected === 1) texts.push(strings.selectedOne);
    if (selected > 1) texts.push(fillPlaceholders(strings.selected, actions.numberText(selected)));
    const text = texts.join(' · ');
    if (this.text.textContent !== text) this.text.textContent = text;
    this.more.textContent =
      count <= MAX_READ_ROWS
        ? strings.readAll
        : fillPlaceholders(strings.readMost, actions.numberText(MAX_READ_ROWS));
    this.more.hidden = isAll || full || reading;
    this.stop.hidden = !reading;
    this.element.hidden = count === 0;
  }
}
