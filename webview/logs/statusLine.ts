import * as l10n from '@vscode/l10n';
import type { LogCounts } from '../../src/shared/logs';
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
    private readonly count: CountFormatter,
    changeLimit: () => void,
  ) {
    const label = l10n.t('Change Limit');
    this.limit = textButton(label, changeLimit, { focusKey: 'change limit', hint: label });
    this.element.append(this.text, this.dropped, this.limit, this.rest);
    this.limit.hidden = true;
  }

  show({ counts, shown, selected, paused, filtering }: StatusFacts): void {
    const { count } = this;
    const inMemory = l10n.t(
      '{0} of {1} in memory',
      count.number(counts.buffered),
      count.number(counts.limit),
    );
    const { dropped, missed } = counts;
    write(
      this.text,
      `${count.of(shown, l10n.t('{0} line shown'), l10n.t('{0} lines shown'))} · ${inMemory}`,
    );
    write(
      this.dropped,
      dropped > 0
        ? count.of(dropped, l10n.t('{0} older line dropped'), l10n.t('{0} older lines dropped'))
        : '',
    );
    this.limit.hidden = dropped === 0;
    const rest = [
      missed > 0 ? count.of(missed, l10n.t('{0} line missed'), l10n.t('{0} lines missed')) : '',
      selected > 1
        ? count.of(selected, l10n.t('{0} line selected'), l10n.t('{0} lines selected'))
        : '',
      paused ? l10n.t('Paused') : '',
      filtering ? l10n.t('Filtering…') : '',
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
