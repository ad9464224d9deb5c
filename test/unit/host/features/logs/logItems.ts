import type { LogGap, LogLine } from '../../../../../src/core/logs/logItem';
import { connectionId, locationId, machineId } from '../../../../../src/core/model/ids';
import { organizationId, partId } from '../../../../../src/core/model/ids';
import type { PartTarget } from '../../../../../src/core/model/resourceTarget';

const NOON_MICROS = Date.parse('2026-03-01T12:00:00Z') * 1_000;

export function lineItem(line: Partial<LogLine> = {}): LogLine {
  return {
    kind: 'line',
    key: 1,
    part: partId('p1'),
    micros: NOON_MICROS + 123_456,
    level: 'info',
    levelText: 'info',
    logger: 'motion',
    message: 'Moved.',
    host: '',
    stack: '',
    fields: '',
    caller: '',
    ...line,
  };
}

export function gapItem(gap: Partial<LogGap> = {}): LogGap {
  return {
    kind: 'gap',
    key: 2,
    reason: 'break',
    parts: [partId('p1')],
    micros: NOON_MICROS,
    endMicros: NOON_MICROS + 6_000_000,
    state: 'open',
    loaded: 0,
    ...gap,
  };
}

export function partItem(part: Partial<PartTarget> = {}): PartTarget {
  return {
    kind: 'part',
    connectionId: connectionId('c'),
    organizationId: organizationId('o'),
    locationId: locationId('l'),
    machineId: machineId('m1'),
    machineName: 'rover-07',
    partId: partId('p1'),
    name: 'rover-07-main',
    ...part,
  };
}
