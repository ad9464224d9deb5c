import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import type { AssumedZone, TimeForm } from '../../../../core/data/uploads/readings/captureTime';
import type { CellType } from '../../../../core/data/uploads/readings/columnGuess';
import {
  type Delimiter,
  ReadingsError,
  type ReadingsErrorReason,
} from '../../../../core/data/uploads/readings/textFormat';
import type {
  ReadingsLayout,
  RowProblem,
  TimeChoice,
} from '../../../../core/data/uploads/readings/readingRow';
import { toDisplayText } from '../../../../core/model/displayText';
import { formatBytes, formatNumber } from '../../../platform/text/displayText';
import type { ReadingsPlan } from '../../../../core/data/uploads/readings/uploadReadings';
import type { Inspection } from '../../../../core/data/uploads/readings/inspectReadings';
import type { PartTarget } from '../../../../core/model/resourceTarget';

const SHOWN_CHARACTERS = 60;

/** Returns the reason why a row is skipped. */
export function formatRowProblem(problem: RowProblem): string {
  switch (problem.kind) {
    case 'cells':
      return vscode.l10n.t(
        'It has {0} cells, but the header row has {1} columns.',
        formatNumber(problem.found),
        formatNumber(problem.expected),
      );
    case 'time':
      return problem.text.trim() === ''
        ? vscode.l10n.t("It doesn't have a timestamp.")
        : vscode.l10n.t(
            '"{0}" is not a valid time.',
            toDisplayText(problem.text, SHOWN_CHARACTERS),
          );
    case 'json':
      return vscode.l10n.t('It is not valid JSON: {0}', toDisplayText(problem.reason));
    case 'notObject':
      return vscode.l10n.t('It is not a JSON object.');
    case 'overlap':
      return vscode.l10n.t(
        'Column "{0}" is nested in a column that also has a value.',
        toDisplayText(problem.column, SHOWN_CHARACTERS),
      );
    case 'size':
      return vscode.l10n.t(
        'It is {0} as JSON. The maximum for a reading is 4 MB.',
        formatBytes(problem.bytes),
      );
  }
}

/** Formats a line number for an error message. */
export function formatLine(line: number): string {
  return vscode.l10n.t('Line {0}', formatNumber(line));
}

/** Converts the error for a file that doesn't contain readings to a user-facing error. */
export function toUserError(error: unknown, name: string): unknown {
  if (!(error instanceof ReadingsError)) return error;
  const message = vscode.l10n.t(
    '"{0}" can\'t be imported as readings. {1}',
    toDisplayText(name),
    describeReason(error.reason),
  );
  return new FleetError('invalid', message, { cause: error });
}

/** Returns the error for a file without a time column. */
export function noTimeError(name: string): FleetError {
  return new FleetError(
    'invalid',
    vscode.l10n.t(
      '"{0}" can\'t be imported as readings because no column contains timestamps. Use ISO 8601, for example 2026-01-31T12:00:00Z, or seconds, milliseconds, microseconds, or nanoseconds since 1970.',
      toDisplayText(name),
    ),
  );
}

function describeReason(reason: ReadingsErrorReason): string {
  switch (reason.kind) {
    case 'encoding':
      return vscode.l10n.t('It is neither UTF-8 nor UTF-16. Save it as UTF-8.');
    case 'empty':
      return vscode.l10n.t('It is empty.');
    case 'noRows':
      return vscode.l10n.t('It has a header row but no data rows.');
    case 'noHeader':
      return vscode.l10n.t('The first line must contain the column names.');
    case 'sameColumn':
      return vscode.l10n.t(
        'The column "{0}" appears twice.',
        toDisplayText(reason.column, SHOWN_CHARACTERS),
      );
    case 'manyColumns':
      return vscode.l10n.t(
        'It has {0} columns. The maximum is {1}.',
        formatNumber(reason.columns),
        formatNumber(reason.max),
      );
    case 'longRow':
      return vscode.l10n.t(
        'The row at line {0} exceeds the limit of 4 MB. Check for an unclosed quotation mark.',
        formatNumber(reason.line),
      );
    case 'openQuote':
      return vscode.l10n.t(
        'The quotation mark on line {0} is never closed.',
        formatNumber(reason.line),
      );
    case 'malformed':
      return `${formatLine(reason.line)}: ${toDisplayText(reason.reason)}`;
  }
}

/** Returns the description of a column's time format. */
export function formatTimeForm(form: TimeForm): string {
  if (form.kind === 'iso') return 'ISO 8601';
  switch (form.unit) {
    case 's':
      return vscode.l10n.t('seconds since 1970');
    case 'ms':
      return vscode.l10n.t('milliseconds since 1970');
    case 'us':
      return vscode.l10n.t('microseconds since 1970');
    case 'ns':
      return vscode.l10n.t('nanoseconds since 1970');
  }
}

export function formatZone(zone: AssumedZone): string {
  if (zone === 'utc') return 'UTC';
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return vscode.l10n.t('{0} (the time zone of this computer)', timeZone);
}

export function formatCellType(type: CellType): string {
  switch (type) {
    case 'number':
      return vscode.l10n.t('number');
    case 'commaNumber':
      return vscode.l10n.t('number with a decimal comma');
    case 'boolean':
      return vscode.l10n.t('true or false');
    case 'json':
      return vscode.l10n.t('list or object');
    case 'text':
      return vscode.l10n.t('text');
    case 'mixed':
      return vscode.l10n.t('several types');
    case 'empty':
      return vscode.l10n.t('nothing');
  }
}

export function formatDelimiter(delimiter: Delimiter): string {
  switch (delimiter) {
    case ',':
      return vscode.l10n.t('commas');
    case ';':
      return vscode.l10n.t('semicolons');
    case '\t':
      return vscode.l10n.t('tabs');
    case '|':
      return vscode.l10n.t('vertical bars');
  }
}

/** Formats a number of readings, such as `10,000 readings`. */
export function readingsCount(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 reading')
    : vscode.l10n.t('{0} readings', formatNumber(count));
}

/** Import settings for a file with readings. */
export interface ReadingsSettings {
  readonly part: PartTarget;
  readonly time: TimeChoice;
  readonly component: string;
  readonly componentType: string;
  readonly method: string;
  readonly tags: readonly string[];
  /** Inspection with the current `time` setting. */
  readonly inspection: Inspection;
}

export const DEFAULT_TYPE = 'rdk:component:sensor';
export const DEFAULT_METHOD = 'Readings';

/** Converts the settings to an upload plan. */
export function createPlan(layout: ReadingsLayout, settings: ReadingsSettings): ReadingsPlan {
  const { part, time, tags, inspection } = settings;
  return {
    layout,
    time,
    tags,
    types: inspection.types,
    origin: {
      partId: part.partId,
      componentName: settings.component,
      componentType: settings.componentType,
      method: settings.method,
    },
  };
}
