import type { LogStrings } from '../../src/shared/logStrings';
import { element, toolButton } from '../ui/elements';
import { fillPlaceholders, localeTag } from '../ui/format';

/** Prompts the user for a time to jump to. */
export class JumpBox {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly label = element('label', { for: 'jump-time' });
  private readonly message = element('span', { class: 'jump-message', role: 'status' });

  constructor(
    private readonly strings: LogStrings,
    private times: LogTimes,
    private readonly onJump: (at: number) => void,
    private readonly onClose: () => void,
  ) {
    const { jump } = strings;
    this.input = element('input', {
      type: 'datetime-local',
      step: '1',
      id: 'jump-time',
      'data-focus': 'jump time',
      // Without this attribute, the browser shows no validation message for an empty input.
      required: '',
    });
    this.element = element(
      'div',
      { class: 'jump-box' },
      this.label,
      this.input,
      toolButton(jump.go, () => this.jump(), { focusKey: 'jump' }),
      toolButton(jump.close, () => this.close(), { focusKey: 'close jump' }),
      this.message,
    );
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => this.pressed(event));
    this.setTimes(times);
  }

  /**
   * Opens the prompt.
   * @param at initial time in milliseconds since 1970
   */
  open(at: number): void {
    this.element.hidden = false;
    this.input.value = this.times.toInput(at);
    this.showMessage('');
    this.input.focus();
  }

  /** Sets the time zone; the input keeps its timestamp. */
  setTimes(times: LogTimes): void {
    const at = this.times.fromInput(this.input.value);
    this.times = times;
    this.label.textContent = fillPlaceholders(this.strings.jump.label, times.zone);
    if (Number.isFinite(at)) this.input.value = times.toInput(at);
  }

  showMessage(message: string): void {
    this.message.textContent = message;
  }

  private jump(): void {
    const at = this.times.fromInput(this.input.value);
    if (Number.isFinite(at)) this.onJump(at);
    else this.input.reportValidity();
  }

  private close(): void {
    this.element.hidden = true;
    this.onClose();
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && event.target === this.input) this.jump();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

const DAY = 86_400_000;

/** Formatter and parser for timestamps in one time zone: the zone of this computer or UTC. */
export interface LogTimes {
  /** Formats the time of day as `HH:MM:SS.mmm`. */
  time(at: number): string;
  /** Formats the day in words. */
  day(at: number): string;
  /** Formats the day without its weekday, for narrow spaces. */
  shortDay(at: number): string;
  /** Returns true if two timestamps are on the same day. */
  isSameDay(one: number, other: number): boolean;
  /** Formats date, time, and zone. */
  full(at: number): string;
  /** Formats a duration in its largest unit, such as `3 days`. */
  span(milliseconds: number): string;
  /** Name of the time zone. */
  readonly zone: string;
  /** Formats a timestamp for a date and time input. */
  toInput(at: number): string;
  /** Parses the value of a date and time input; returns NaN if it is incomplete. */
  fromInput(text: string): number;
}

const UNITS = [
  ['day', DAY],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

export function logTimes(locale: string, utc: boolean): LogTimes {
  const formatDays = (dateStyle: 'full' | 'medium'): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(localeTag(locale), { dateStyle, ...(utc && { timeZone: 'UTC' }) });
  const [days, shortDays] = [formatDays('full'), formatDays('medium')];
  const shift = (at: number): number => (utc ? 0 : new Date(at).getTimezoneOffset() * 60_000);
  // Shifting the time by the zone's offset and formatting the result as UTC yields the local time.
  const iso = (at: number): string => new Date(at - shift(at)).toISOString();
  const zone = utc ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    zone,
    time: (at) => iso(at).slice(11, 23),
    day: (at) => days.format(at),
    shortDay: (at) => shortDays.format(at),
    isSameDay: (one, other) =>
      Math.floor((one - shift(one)) / DAY) === Math.floor((other - shift(other)) / DAY),
    full: (at) => `${iso(at).slice(0, 23).replace('T', ' ')} ${zone}`,
    span: (milliseconds) => {
      const [unit, length] = UNITS.find(([, ofUnit]) => milliseconds >= ofUnit) ?? UNITS[2];
      const style = { style: 'unit', unit, unitDisplay: 'short' } as const;
      return Math.floor(milliseconds / length).toLocaleString(localeTag(locale), style);
    },
    toInput: (at) => iso(at).slice(0, 19),
    fromInput: (text) => new Date(utc ? `${text}Z` : text).getTime(),
  };
}
