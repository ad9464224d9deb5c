import { isRecord } from '../../../base/isRecord';
import { parseAnsi, stripAnsi } from '../../../base/ansiText';
import { getClockSkew, type LogLine } from '../../../core/logs/logItem';
import { isoMicros } from '../../../core/model/timestamp';
import type { LogDetails } from '../../../shared/logs';

/** Labels for a line's standard values, as opposed to its own fields. */
export interface DetailNames {
  readonly logger: string;
  readonly caller: string;
  readonly stack: string;
  readonly host: string;
  readonly time: string;
  readonly received: string;
}

/** Returns all details of a line: its own fields, followed by the standard values. */
export function logDetails(line: LogLine, names: DetailNames): LogDetails {
  const rest: readonly (readonly [string, string])[] = [
    [names.logger, line.logger],
    [names.caller, formatCaller(line.caller)],
    [names.stack, line.stack.trimEnd()],
    [names.host, line.host],
    [names.time, isoMicros(line.micros)],
    [names.received, describeReceipt(line)],
  ];
  const { text: message, styles } = parseAnsi(line.message);
  return {
    message,
    ...(styles.length > 0 && { styles }),
    entries: [
      ...fieldEntries(line.fields),
      ...rest.flatMap(([name, value]) => (value === '' ? [] : [{ name, value }])),
    ].map(({ name, value }) => ({ name: stripAnsi(name), value: stripAnsi(value) })),
  };
}

/** Formats the time of receipt if it differs significantly from the line's own time. */
function describeReceipt(line: LogLine): string {
  const { receivedMicros } = line;
  const isRelevant = receivedMicros !== undefined && getClockSkew(line) !== undefined;
  return isRelevant ? isoMicros(receivedMicros) : '';
}

function fieldEntries(json: string): LogDetails['entries'] {
  return parseGroups(json).flatMap((group) => {
    const { Key: key } = group;
    if (typeof key === 'string') return [{ name: key, value: formatValue(getFieldValue(group)) }];
    return Object.entries(group).map(([name, value]) => ({ name, value: formatValue(value) }));
  });
}

/**
 * Returns a field's value. Go loggers send each field in a separate group and store its value in
 * the member for its type.
 */
function getFieldValue({ String: text, Interface: any, Integer: whole, Float: float }: Group) {
  const values = [text, any, whole, float].filter((value) => value !== undefined && value !== null);
  return values.find((value) => value !== '' && value !== 0) ?? values[0] ?? '';
}

/**
 * Formats a code position in the style of compilers. Uses the member names of zap, which some other
 * loggers also use.
 */
function formatCaller(json: string): string {
  const members = new Map(
    Object.entries(parseGroups(json)[0] ?? {}).map(([name, value]) => [
      name.toLowerCase(),
      formatValue(value),
    ]),
  );
  const file = members.get('file');
  if (file === undefined) return json;
  const line = members.get('line');
  const name = members.get('function');
  return [line === undefined ? file : `${file}:${line}`, ...(name ? [`(${name})`] : [])].join(' ');
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

type Group = Readonly<Record<string, unknown>>;

function parseGroups(json: string): readonly Group[] {
  const value = json === '' ? [] : (JSON.parse(json) as unknown);
  return (Array.isArray(value) ? value : [value]).filter(isRecord);
}
