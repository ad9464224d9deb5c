import type { LogCounts } from '../../src/shared/logs';
import type { LogStrings } from '../../src/shared/logStrings';
import { element, textButton } from '../ui/elements';
import { fillPlaceholders } from '../ui/format';

export interface StatusFacts {
  readonly counts: LogCounts;
  readonly shown: number;
  readonly selected: number;
  readonly paused: boolean;
  readonly filtering: boolean;
}

/** The status line below the log lines, with line counts. */
export class StatusLine {
  readonly element = element('div', { class: 'status-line' });
  private readonly text = element('span');
  private readonly dropped = element('span', { class: 'dropped' });
  private readonly limit: HTMLElement;
  private readonly rest = element('span');

  constructor(
    private readonly strings: LogStrings,
    private readonly count: CountFormatter,
    changeLimit: () => void,
  ) {
    const label = strings.status.changeLimit;
    this.limit = textButton(label, changeLimit, { focusKey: 'change limit', hint: label });
    this.element.append(this.text, this.dropped, this.limit, this.rest);
    this.limit.hidden = true;
  }

  show({ counts, shown, selected, paused, filtering }: StatusFacts): void {
    const { count, strings } = this;
    const { status } = strings;
    const inMemory = fillPlaceholders(
      status.inMemory,
      count.number(counts.buffered),
      count.number(counts.limit),
    );
    const { dropped, missed } = counts;
    write(this.text, `${count.of(shown, status.shownOne, status.shown)} · ${inMemory}`);
    write(this.dropped, dropped > 0 ? count.of(dropped, status.droppedOne, status.dropped) : '');
    this.limit.hidden = dropped === 0;
    const rest = [
      missed > 0 ? count.of(missed, status.missedOne, status.missed) : '',
      selected > 1 ? count.of(selected, status.selectedOne, status.selected) : '',
      paused ? status.paused : '',
      filtering ? strings.filter.applying : '',
    ];
    write(this.rest, rest.filter((text) => text !== '').join(' · '));
  }
}

function write(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Formats counts in sentences, with numbers in the user's language. */
export interface CountFormatter {
  number(count: number): string;
  /** Returns the singular or plural sentence with the count. */
  of(count: number, one: string, many: string): string;
}

export function createCountFormatter(locale: string | undefined): CountFormatter {
  const format = new Intl.NumberFormat(locale);
  const number = (count: number): string => format.format(count);
  return {
    number,
    of: (count, one, many) => fillPlaceholders(count === 1 ? one : many, number(count)),
  };
}
