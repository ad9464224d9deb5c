import * as l10n from '@vscode/l10n';
import type { AnsiSpan, GapRow, LevelKind, LineRow, LogRow } from '../../src/shared/logs';
import { element, textButton, updateAttribute } from '../ui/elements';
import type { PartColors } from './partChips';
import { localeTag } from '../ui/format';

/** Style and callbacks that all rows share. */
export interface RowStyle {
  readonly times: LogTimes;
  readonly parts: PartColors;
  /** Loads the missing lines at a gap. */
  readonly loadGap: (key: number) => void;
}

/** Returns the ID of a row's element, by which the list refers to the active row. */
export function rowId(key: number): string {
  return `row-${key}`;
}

interface RowAdditions {
  /** Element shown below the line; undefined if the line is collapsed. */
  readonly details: HTMLElement | undefined;
  /** Timestamp on the day that starts with this row; undefined if the row doesn't start a day. */
  readonly day: number | undefined;
}

/** Draws a row. */
function drawRow(row: LogRow, style: RowStyle, { details, day }: RowAdditions): HTMLElement {
  const cells = row.kind === 'line' ? lineCells(row, style) : [gapCell(row, style)];
  const made = element(
    'div',
    { role: 'row', id: rowId(row.key), class: `row ${row.kind}`, 'data-key': String(row.key) },
    element('div', { class: 'cells', role: 'presentation' }, ...cells),
    details,
  );
  if (day !== undefined) {
    made.classList.add('day-start');
    const { times } = style;
    const attributes = { class: 'day', role: 'presentation', title: times.day(day) };
    made.firstElementChild?.append(element('span', attributes, times.shortDay(day)));
  }
  if (row.kind === 'line') {
    made.classList.add(`level-${row.level}`);
    made.setAttribute('aria-expanded', String(details !== undefined));
  }
  return made;
}

/** Draws a placeholder for a row that isn't loaded yet. */
function drawPlaceholder(): HTMLElement {
  const bar = element('span', { class: 'placeholder-bar' });
  return element(
    'div',
    { role: 'row', class: 'row placeholder', 'aria-busy': 'true' },
    element('div', { class: 'cells', role: 'gridcell' }, bar),
  );
}

function lineCells(row: LineRow, { times, parts }: RowStyle): HTMLElement[] {
  const cell = (name: string, title: string, ...children: (Node | string)[]): HTMLElement =>
    element('span', { role: 'gridcell', class: name, title }, ...children);
  const level = row.level === 'other' ? row.levelText : getLevelName(row.level);
  const partColor = parts.of(row.part);
  return [
    cell('twist', l10n.t('Show or hide details'), element('span', { class: 'chevron' })),
    cell('time', times.full(row.at), times.time(row.at)),
    ...(parts.several
      ? [
          cell(
            `part color-${partColor.color}`,
            partColor.label,
            element('span', {}, partColor.label),
          ),
        ]
      : []),
    cell('level', row.levelText, element('span', {}, level)),
    cell('logger', row.logger, row.logger),
    cell(
      'text',
      '',
      ...skewMarks(row, times),
      ...renderStyledText(row.text, row.styles, row.found),
    ),
  ];
}

function skewMarks({ skew, receivedAt }: LineRow, times: LogTimes): HTMLElement[] {
  if (skew === undefined || receivedAt === undefined) return [];
  return [drawSkewMark(skew, receivedAt, times)];
}

/** Draws a line's skewed-clock icon with an explanatory tooltip. */
function drawSkewMark(skew: number, receivedAt: number, times: LogTimes): HTMLElement {
  const receipt = times.full(receivedAt);
  const title =
    skew > 0
      ? l10n.t(
          'Received at {0}, earlier than its timestamp. The clock on the machine or on this computer is wrong.',
          receipt,
        )
      : l10n.t(
          'Received at {0}, long after its timestamp. A clock is wrong, or the line was sent late.',
          receipt,
        );
  const span = times.span(Math.abs(skew));
  const text = skew > 0 ? l10n.t('{0} ahead', span) : l10n.t('{0} behind', span);
  const icon = element('span', { 'aria-hidden': 'true' }, '⚠ ');
  return element(
    'span',
    { class: 'skew', title },
    icon,
    element('span', { class: 'skew-text' }, text),
  );
}

function gapCell(row: GapRow, { times, loadGap }: RowStyle): HTMLElement {
  const load = textButton(l10n.t('Load Missing Lines'), () => loadGap(row.key), {
    focusKey: `gap ${row.key}`,
    hint: l10n.t('Load Missing Lines'),
  });
  const state = row.loading ? element('span', { class: 'faint' }, l10n.t('Loading…')) : undefined;
  return element(
    'span',
    { role: 'gridcell', class: 'gap-cell', title: row.text },
    element('span', { class: 'time', title: times.full(row.at) }, times.time(row.at)),
    element('span', { class: 'gap-text' }, row.text),
    state ?? (row.canLoad ? load : undefined),
  );
}

/** State that affects how a row is drawn, other than the row's content. */
export interface RowState {
  /** The row's one-based number among all rows. */
  readonly index: number;
  readonly selected: boolean;
  readonly active: boolean;
  /** Timestamp on the row's day if the row is the first of that day; otherwise, undefined. */
  readonly day: number | undefined;
  readonly details: HTMLElement | undefined;
}

interface DrawnRow {
  readonly row: LogRow;
  readonly element: HTMLElement;
  readonly details: HTMLElement | undefined;
  readonly day: number | undefined;
}

/** The elements for the drawn rows. An element is reused until its row must look different. */
export class DrawnRows {
  private drawn = new Map<number, DrawnRow>();
  private used = new Map<number, DrawnRow>();
  private readonly placeholders: HTMLElement[] = [];
  private placeholdersUsed = 0;

  constructor(private readonly style: () => RowStyle) {}

  /** Starts a drawing pass. Rows that aren't requested before the next call are removed. */
  begin(): void {
    this.drawn = this.used;
    this.used = new Map();
    this.placeholdersUsed = 0;
  }

  /** Discards all rows, so that the next drawing recreates them. */
  reset(): void {
    this.used.clear();
    this.drawn.clear();
  }

  takePlaceholder(): HTMLElement {
    const made = (this.placeholders[this.placeholdersUsed] ??= drawPlaceholder());
    this.placeholdersUsed += 1;
    return made;
  }

  draw(row: LogRow, state: RowState): HTMLElement {
    const { element } = this.reuseRow(row, state) ?? this.make(row, state);
    updateAttribute(element, 'aria-rowindex', String(state.index));
    updateAttribute(element, 'aria-selected', String(state.selected));
    element.classList.toggle('active', state.active);
    return element;
  }

  private reuseRow(row: LogRow, { details, day }: RowState): DrawnRow | undefined {
    const before = this.drawn.get(row.key);
    if (before?.details !== details || before?.day !== day) return undefined;
    if (before === undefined || !rendersSame(before.row, row)) return undefined;
    this.used.set(row.key, before);
    return before;
  }

  private make(row: LogRow, { details, day }: RowState): DrawnRow {
    const element = drawRow(row, this.style(), { details, day });
    const made = { row, element, details, day };
    this.used.set(row.key, made);
    return made;
  }
}

/**
 * Returns true if two rows look the same. Lines never change, but their filter matches and gaps can
 * change.
 */
function rendersSame(one: LogRow, other: LogRow): boolean {
  if (one === other) return true;
  if (one.kind === 'gap' || other.kind === 'gap') {
    return JSON.stringify(one) === JSON.stringify(other);
  }
  return one.text === other.text && one.found.join() === other.found.join();
}

/** Start and end offsets of a range of text. */
type Range = readonly [start: number, end: number];

/**
 * Creates the nodes for text, with the colors that the machine specified and with filter matches
 * highlighted.
 */
export function renderStyledText(
  text: string,
  styles: readonly AnsiSpan[] = [],
  matches: readonly Range[] = [],
): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let end = 0;
  for (const [from, to] of matches) {
    if (from < end || to <= from) continue;
    nodes.push(...renderColoredText(text, styles, [end, from]));
    nodes.push(element('mark', {}, ...renderColoredText(text, styles, [from, to])));
    end = to;
  }
  nodes.push(...renderColoredText(text, styles, [end, text.length]));
  return nodes;
}

function renderColoredText(
  text: string,
  styles: readonly AnsiSpan[],
  [start, end]: Range,
): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let at = start;
  for (const style of styles) {
    const [from, to] = [Math.max(style.start, at), Math.min(style.end, end)];
    if (to <= from) continue;
    nodes.push(text.slice(at, from));
    nodes.push(element('span', { class: getAnsiClasses(style) }, text.slice(from, to)));
    at = to;
  }
  nodes.push(text.slice(at, end));
  return nodes.filter((node) => node !== '');
}

function getAnsiClasses({ color, background, ...attributes }: AnsiSpan): string {
  return [
    ...(color === undefined ? [] : [`ansi-color-${color}`]),
    ...(background === undefined ? [] : [`ansi-background-${background}`]),
    ...(['bold', 'dim', 'italic', 'underline'] as const)
      .filter((name) => attributes[name] === true)
      .map((name) => `ansi-${name}`),
  ].join(' ');
}

/** Returns a log level's localized name. */
export function getLevelName(level: LevelKind): string {
  switch (level) {
    case 'debug':
      return l10n.t('Debug');
    case 'info':
      return l10n.t('Info');
    case 'warn':
      return l10n.t('Warning');
    case 'error':
      return l10n.t('Error');
    case 'other':
      return l10n.t('Other');
  }
}

const DAY = 86400000;

/** Formatter and parser for timestamps in one time zone: this computer's zone or UTC. */
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
  /** Parses a date and time input's value; returns NaN if it is incomplete. */
  fromInput(text: string): number;
}
const UNITS = [
  ['day', DAY],
  ['hour', 3600000],
  ['minute', 60000],
] as const;

export function logTimes(locale: string, utc: boolean): LogTimes {
  const formatDays = (dateStyle: 'full' | 'medium'): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(localeTag(locale), { dateStyle, ...(utc && { timeZone: 'UTC' }) });
  const [days, shortDays] = [formatDays('full'), formatDays('medium')];
  const shift = (at: number): number => (utc ? 0 : new Date(at).getTimezoneOffset() * 60000);
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
