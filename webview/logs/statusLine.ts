import * as l10n from '@vscode/l10n';
import type { LogCounts } from '../../src/shared/logs';
import { element, textButton, updateText } from '../ui/elements';

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
    private readonly count: Intl.NumberFormat,
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
      count.format(counts.buffered),
      count.format(counts.limit),
    );
    const { dropped, missed } = counts;
    updateText(
      this.text,
      `${shown === 1 ? l10n.t('{0} line shown', count.format(shown)) : l10n.t('{0} lines shown', count.format(shown))} · ${inMemory}`,
    );
    updateText(
      this.dropped,
      dropped > 0
        ? dropped === 1
          ? l10n.t('{0} older line dropped', count.format(dropped))
          : l10n.t('{0} older lines dropped', count.format(dropped))
        : '',
    );
    this.limit.hidden = dropped === 0;
    const rest = [
      missed > 0
        ? missed === 1
          ? l10n.t('{0} line missed', count.format(missed))
          : l10n.t('{0} lines missed', count.format(missed))
        : '',
      selected > 1
        ? selected === 1
          ? l10n.t('{0} line selected', count.format(selected))
          : l10n.t('{0} lines selected', count.format(selected))
        : '',
      paused ? l10n.t('Paused') : '',
      filtering ? l10n.t('Filtering…') : '',
    ];
    updateText(this.rest, rest.filter((text) => text !== '').join(' · '));
  }
}
