import * as l10n from '@vscode/l10n';
import { getIntervalPresets, type IntervalPreset } from './filterLabels';
import { type DataInterval, isTimestamp } from '../../../src/shared/data/dataFilter';
import { element, toggleButton } from '../../ui/elements';

const HOUR = 3_600_000;
const ANY = 'any';
const BETWEEN = 'between';

interface IntervalOptions {
  readonly id: string;
  readonly label: string;
  readonly utc: boolean;
  readonly onChange: (interval: DataInterval) => void;
  readonly onZone: (utc: boolean) => void;
}

/** Field for the time of capture: a recent period, or a range between two times. */
export class IntervalField {
  readonly element: HTMLElement;
  private readonly select: HTMLSelectElement;
  private readonly start: HTMLInputElement;
  private readonly end: HTMLInputElement;
  private readonly timeInputs: HTMLElement;
  private readonly problem: HTMLElement;
  private readonly zone;
  private utc: boolean;
  /** The shown interval; `between` without bounds while the user is entering times. */
  private interval: DataInterval = { kind: 'any' };
  /**
   * The applied interval, which differs from the shown interval while the user is entering times.
   */
  private current: DataInterval = { kind: 'any' };

  constructor(private readonly options: IntervalOptions) {
    const { id, label, utc } = options;
    this.utc = utc;
    this.select = element('select', { id, class: 'filter-input', 'aria-label': label });
    this.problem = element('div', { id: `${id}-problem`, class: 'field-problem', role: 'alert' });
    this.start = this.createTimeInput(`${id}-start`, l10n.t('From'));
    this.end = this.createTimeInput(`${id}-end`, l10n.t('To (exclusive)'));
    this.zone = toggleButton(l10n.t('UTC'), (on) => this.setZone(on), {
      focusKey: 'filter zone',
      hint: l10n.t('Times in UTC instead of the local time zone'),
    });
    this.zone.setOn(utc);
    this.timeInputs = element(
      'div',
      { class: 'moments' },
      labeled(l10n.t('From'), this.start),
      labeled(l10n.t('To (exclusive)'), this.end),
      this.zone.element,
      this.problem,
    );
    // Don't apply the times while the user moves between the time inputs and the time zone.
    this.timeInputs.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.timeInputs.contains(relatedTarget))) this.apply();
    });
    this.element = element('div', { class: 'interval-field' }, this.select, this.timeInputs);
    this.select.addEventListener('change', () => this.chosen());
    this.draw(this.current);
  }

  /**
   * Shows the applied interval. Times that the user is entering remain until a different interval
   * is applied.
   */
  show(interval: DataInterval): void {
    const isSame = JSON.stringify(interval) === JSON.stringify(this.current);
    this.current = interval;
    if (!isSame || !this.timeInputs.contains(document.activeElement)) this.draw(interval);
  }

  private draw(interval: DataInterval): void {
    this.interval = interval;
    const options = [
      [ANY, l10n.t('Any time')] as const,
      ...this.lengths().map(({ minutes, label }) => [String(minutes), label] as const),
      [BETWEEN, l10n.t('Between…')] as const,
    ];
    this.select.replaceChildren(
      ...options.map(([value, text]) => element('option', { value }, text)),
    );
    this.select.value = interval.kind === 'last' ? String(interval.minutes) : interval.kind;
    this.timeInputs.hidden = interval.kind !== 'between';
    const isTyping = this.timeInputs.contains(document.activeElement);
    if (interval.kind === 'between' && !isTyping) this.fill(interval);
    if (interval.kind !== 'between') this.showProblem(undefined);
  }

  /** Returns the preset periods and, if it isn't a preset, the current period. */
  private lengths(): readonly IntervalPreset[] {
    const presets = getIntervalPresets();
    const { interval } = this;
    if (interval.kind !== 'last') return presets;
    const { minutes } = interval;
    if (presets.some((one) => one.minutes === minutes)) return presets;
    return [...presets, { minutes, label: l10n.t('Last {0} minutes', String(minutes)) }];
  }

  private createTimeInput(id: string, label: string): HTMLInputElement {
    const input = element('input', {
      type: 'datetime-local',
      step: '1',
      id,
      class: 'filter-input',
      'aria-label': label,
      'aria-describedby': this.problem.id,
      'data-focus': id,
    });
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      this.apply();
    });
    return input;
  }

  private chosen(): void {
    const { value } = this.select;
    if (value === BETWEEN) {
      const now = Date.now();
      this.draw({ kind: 'between' });
      this.start.value = toInput(now - HOUR, this.utc);
      this.end.value = toInput(now, this.utc);
      this.start.focus();
      return;
    }
    this.change(value === ANY ? { kind: 'any' } : { kind: 'last', minutes: Number(value) });
  }

  private apply(): void {
    const [start, end] = [this.start, this.end].map(({ value }) => fromInput(value, this.utc));
    const isWhole =
      [this.start, this.end].every(({ validity }) => !validity.badInput) &&
      [start, end].every((at) => at === undefined || isTimestamp(at));
    const isBackwards = start !== undefined && end !== undefined && end <= start;
    this.showProblem(
      isWhole
        ? isBackwards
          ? l10n.t('The end must be later than the start.')
          : undefined
        : l10n.t('Enter a complete date and time, or leave the field empty.'),
    );
    if (!isWhole || isBackwards) return;
    const same =
      this.interval.kind === 'between' &&
      this.interval.start === start &&
      this.interval.end === end;
    if (!same) this.change({ kind: 'between', start, end });
  }

  private showProblem(problem: string | undefined): void {
    for (const input of [this.start, this.end]) {
      input.setAttribute('aria-invalid', String(problem !== undefined));
    }
    this.problem.textContent = problem ?? '';
    this.problem.hidden = problem === undefined;
  }

  /** Sets the time zone. The timestamps stay the same but are shown in the new time zone. */
  private setZone(utc: boolean): void {
    const [start, end] = [this.start, this.end].map(({ value }) => fromInput(value, this.utc));
    this.utc = utc;
    this.zone.setOn(utc);
    this.fill({ kind: 'between', start, end });
    this.options.onZone(utc);
  }

  private fill({ start, end }: Extract<DataInterval, { kind: 'between' }>): void {
    this.start.value = start === undefined ? '' : toInput(start, this.utc);
    this.end.value = end === undefined ? '' : toInput(end, this.utc);
  }

  private change(interval: DataInterval): void {
    this.current = interval;
    this.draw(interval);
    this.options.onChange(interval);
  }
}

function labeled(text: string, input: HTMLElement): HTMLElement {
  return element('label', { class: 'moment' }, element('span', {}, text), input);
}

const MINUTE = 60_000;

/**
 * Formats a timestamp for a date and time input.
 * @param at milliseconds since 1970
 */
function toInput(at: number, utc: boolean): string {
  const shift = utc ? 0 : new Date(at).getTimezoneOffset() * MINUTE;
  return new Date(at - shift).toISOString().slice(0, 19);
}

/** Parses a date and time input's value; undefined if it is empty. */
function fromInput(text: string, utc: boolean): number | undefined {
  const at = new Date(utc ? `${text}Z` : text).getTime();
  return Number.isFinite(at) ? at : undefined;
}

/** Formats a timestamp for display. */
export function formatTime(at: number, locale: string | undefined, utc: boolean): string {
  const zone = utc ? ({ timeZone: 'UTC', timeZoneName: 'short' } as const) : {};
  return new Date(at).toLocaleString(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    ...zone,
  });
}
