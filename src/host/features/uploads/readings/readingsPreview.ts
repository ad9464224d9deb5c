import * as vscode from 'vscode';
import type { CellType, TypeConflict } from '../../../../core/data/uploads/readings/columnGuess';
import { storedRow } from '../../../../core/data/uploads/readings/uploadReadings';
import type { Inspection } from '../../../../core/data/uploads/readings/inspectReadings';
import type { ReadingsLayout } from '../../../../core/data/uploads/readings/readingRow';
import { toDisplayText } from '../../../../core/model/displayText';
import { isoMicros } from '../../../../core/model/timestamp';
import { formatList, formatNumber } from '../../../platform/text/displayText';
import { formatNone, formatPart } from '../uploadPart';
import {
  formatCellType,
  formatDelimiter,
  formatLine,
  formatRowProblem,
  formatTimeForm,
  formatZone,
  readingsCount,
  type ReadingsSettings,
} from './readingsText';

const SHOWN_COLUMNS = 200;
const SHOWN_JSON_CHARACTERS = 5_000;
const SHOWN_NAME_CHARACTERS = 80;

/** Formats an import preview for the user to read before anything is sent. */
export function readingsPreview(
  name: string,
  layout: ReadingsLayout,
  settings: ReadingsSettings,
): string {
  const { inspection } = settings;
  const sections = [
    [
      vscode.l10n.t('This is a preview. Nothing has been uploaded yet.'),
      vscode.l10n.t(
        '{0} of "{1}" for {2}',
        readingsCount(inspection.readings),
        toDisplayText(name),
        formatPart(settings.part),
      ),
    ],
    facts(layout, settings),
    layout.isExport ? [] : columns(inspection, settings.time.column),
    sample(layout, settings),
    problems(inspection),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function facts(layout: ReadingsLayout, settings: ReadingsSettings): readonly string[] {
  const { time, inspection, tags } = settings;
  const { span, assumesZone } = inspection;
  return [
    formatLayout(layout),
    vscode.l10n.t('Time: "{0}", {1}', toDisplayText(time.column), formatTimeForm(time.form)),
    ...(assumesZone
      ? [vscode.l10n.t('Times without a time zone are interpreted as {0}.', formatZone(time.zone))]
      : []),
    ...(span
      ? [vscode.l10n.t('From {0} to {1}', isoMicros(span.first), isoMicros(span.last))]
      : []),
    formatResource(layout, settings),
    vscode.l10n.t(
      'Tags: {0}',
      tags.length === 0 ? formatNone() : formatList(tags.map((tag) => toDisplayText(tag))),
    ),
  ];
}

function formatLayout({ format, encoding, delimiter }: ReadingsLayout): string {
  const encoded = encoding.toUpperCase();
  return format === 'csv' && delimiter
    ? vscode.l10n.t(
        'A table encoded in {0}, with cells separated by {1}',
        encoded,
        formatDelimiter(delimiter),
      )
    : vscode.l10n.t('JSON Lines in {0}', encoded);
}

function formatResource(layout: ReadingsLayout, settings: ReadingsSettings): string {
  if (!layout.isExport) {
    return vscode.l10n.t(
      'Component: {0}, type {1}, method {2}',
      toDisplayText(settings.component),
      toDisplayText(settings.componentType),
      toDisplayText(settings.method),
    );
  }
  const names = settings.inspection.components.map((name) => toDisplayText(name));
  return vscode.l10n.t(
    'Exported readings of these components: {0}. Their machines and parts are not imported.',
    formatList(names),
  );
}

function columns({ columns: all, readings }: Inspection, timeColumn: string): readonly string[] {
  const shown = all.slice(0, SHOWN_COLUMNS);
  const width = Math.max(
    ...shown.map(({ name }) => toDisplayText(name, SHOWN_NAME_CHARACTERS).length),
  );
  const lines = shown.map(({ name, type, filled, conflict }) => {
    const counted = vscode.l10n.t('in {0} of {1}', formatNumber(filled), formatNumber(readings));
    const kind = name === timeColumn ? vscode.l10n.t('time') : formatCellType(type);
    const why = conflict && name !== timeColumn ? `, ${formatEvidence(conflict, type)}` : '';
    const label = toDisplayText(name, SHOWN_NAME_CHARACTERS).padEnd(width);
    return `  ${label}  ${kind}, ${counted}${why}`;
  });
  const more = all.length - shown.length;
  return [
    vscode.l10n.t('Columns ({0})', formatNumber(all.length)),
    ...lines,
    ...(more > 0 ? [`  ${vscode.l10n.t('… and {0} more', formatNumber(more))}`] : []),
  ];
}

function formatEvidence({ line, text }: TypeConflict, type: CellType): string {
  const value = toDisplayText(text, SHOWN_NAME_CHARACTERS);
  return type === 'mixed'
    ? // JSON strings already contain quotation marks.
      vscode.l10n.t('{0} in line {1}', value, formatNumber(line))
    : vscode.l10n.t('line {0} has "{1}"', formatNumber(line), value);
}

function sample(layout: ReadingsLayout, settings: ReadingsSettings): readonly string[] {
  const rows = settings.inspection.sample;
  if (rows.length === 0) return [];
  return [
    vscode.l10n.t('Preview of the first readings to be stored'),
    ...rows.flatMap((row) => {
      const { data, at, line } = storedRow(row, settings, { layout });
      return [`${formatLine(line)}: ${isoMicros(at)}`, indented(formatJson(data))];
    }),
  ];
}

/** Formats multi-line JSON without bidirectional marks. */
function formatJson(data: unknown): string {
  const whole = JSON.stringify(data, undefined, 2);
  const lines = whole.slice(0, SHOWN_JSON_CHARACTERS).split('\n');
  const safe = lines.map((line) => toDisplayText(line, SHOWN_JSON_CHARACTERS)).join('\n');
  return whole.length > SHOWN_JSON_CHARACTERS ? `${safe}…` : safe;
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

function problems({ problems: { count, first } }: Inspection): readonly string[] {
  if (count === 0) return [];
  return [
    vscode.l10n.t('Skipped ({0})', formatNumber(count)),
    ...first.map((problem) => `  ${formatLine(problem.line)}: ${formatRowProblem(problem)}`),
    ...(count > first.length
      ? [`  ${vscode.l10n.t('… and {0} more', formatNumber(count - first.length))}`]
      : []),
  ];
}
