import type { GapRow, LineRow, LogRow } from '../../src/shared/logs';
import type { LogStrings } from '../../src/shared/logStrings';
import { element, textButton } from '../ui/elements';
import { fillPlaceholders } from '../ui/fillPlaceholders';
import { renderStyledText } from './renderStyledText';
import type { LogTimes } from './logTimes';
import type { PartColors } from './partColors';

/** Style and callbacks that all rows share. */
export interface RowStyle {
  readonly strings: LogStrings;
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
export function drawRow(row: LogRow, style: RowStyle, { details, day }: RowAdditions): HTMLElement {
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
export function drawPlaceholder(): HTMLElement {
  const bar = element('span', { class: 'placeholder-bar' });
  return element(
    'div',
    { role: 'row', class: 'row placeholder', 'aria-busy': 'true' },
    element('div', { class: 'cells', role: 'gridcell' }, bar),
  );
}

function lineCells(row: LineRow, { strings, times, parts }: RowStyle): HTMLElement[] {
  const cell = (name: string, title: string, ...children: (Node | string)[]): HTMLElement =>
    element('span', { role: 'gridcell', class: name, title }, ...children);
  const level = row.level === 'other' ? row.levelText : strings.levels[row.level];
  const partColor = parts.of(row.part);
  return [
    cell('twist', strings.details.toggle, element('span', { class: 'chevron' })),
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
      ...skewMarks(row, strings, times),
      ...renderStyledText(row.text, row.styles, row.found),
    ),
  ];
}

function skewMarks(
  { skew, receivedAt }: LineRow,
  { clock }: LogStrings,
  times: LogTimes,
): HTMLElement[] {
  if (skew === undefined || receivedAt === undefined) return [];
  return [drawSkewMark(skew, receivedAt, { strings: clock, times })];
}

/** Draws the skewed-clock icon of a line, with a tooltip that explains it. */
function drawSkewMark(
  skew: number,
  receivedAt: number,
  { strings, times }: { readonly strings: LogStrings['clock']; readonly times: LogTimes },
): HTMLElement {
  const [label, hint] =
    skew > 0 ? [strings.ahead, strings.aheadHint] : [strings.behind, strings.behindHint];
  const title = fillPlaceholders(hint, times.full(receivedAt));
  const icon = element('span', { 'aria-hidden': 'true' }, '⚠ ');
  return element(
    'span',
    { class: 'skew', title },
    icon,
    element('span', { class: 'skew-text' }, fillPlaceholders(label, times.span(Math.abs(skew)))),
  );
}

function gapCell(row: GapRow, { strings, times, loadGap }: RowStyle): HTMLElement {
  const { gap: label, loading } = strings.load;
  const load = textButton(label, () => loadGap(row.key), {
    focusKey: `gap ${row.key}`,
    hint: label,
  });
  const state = row.loading ? element('span', { class: 'faint' }, loading) : undefined;
  return element(
    'span',
    { role: 'gridcell', class: 'gap-cell', title: row.text },
    element('span', { class: 'time', title: times.full(row.at) }, times.time(row.at)),
    element('span', { class: 'gap-text' }, row.text),
    state ?? (row.canLoad ? load : undefined),
  );
}
