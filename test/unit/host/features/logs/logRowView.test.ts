import assert from 'node:assert/strict';
import { logDetails } from '../../../../../src/host/features/logs/logDetails';
import { logRows } from '../../../../../src/host/features/logs/logRowView';
import { logsProtocol } from '../../../../../src/shared/logs';
import { gapItem, lineItem } from './logItems';

const names = {
  logger: 'Logger',
  caller: 'Caller',
  stack: 'Stack',
  host: 'Host',
  time: 'Time',
  received: 'Received',
};

describe('rows of the log panel', () => {
  const rows = (...items: Parameters<typeof logRows>[0]) =>
    logRows(
      items,
      (texts) => texts.map(() => []),
      ({ reason }) => `gap: ${reason}`,
    );

  it('contain the fields of a line', () => {
    assert.deepEqual(rows(lineItem({ key: 7, level: 'warn', levelText: 'WARNING' })), [
      {
        kind: 'line',
        key: 7,
        part: 'p1',
        at: Date.parse('2026-03-01T12:00:00.123Z'),
        level: 'warn',
        levelText: 'WARNING',
        logger: 'motion',
        text: 'Moved.',
        found: [],
      },
    ]);
  });

  it('include the time of receipt and the clock skew if that is more than a minute', () => {
    const { micros } = lineItem();
    const received = rows(
      ...[micros, micros - 60_001_000, micros + 3 * 86_400_000_000].map((receivedMicros) =>
        lineItem({ receivedMicros }),
      ),
    ).map((row) => row.kind === 'line' && [row.receivedAt, row.skew]);
    const at = Math.floor(micros / 1_000);
    assert.deepEqual(received, [
      [at, undefined],
      [at - 60_001, 60_001],
      [at + 259_200_000, -259_200_000],
    ]);
  });

  it('are one line each, without characters that hide or reverse surrounding text', () => {
    const [row] = rows(lineItem({ message: 'one\r\n\ttwo\u001b[31m\u202ered\n' }));
    assert.equal(row?.text, 'one ⏎ two\ufffdred');
  });

  it('truncate long levels and loggers', () => {
    const long = `\u202e${'x'.repeat(100_000)}`;
    const [row] = rows(lineItem({ logger: long, level: 'other', levelText: long }));
    assert.ok(row?.kind === 'line');
    assert.deepEqual([row.logger.length, row.levelText.length], [200, 40]);
    assert.match(row.logger, /^\ufffdx+…$/);
    assert.match(row.levelText, /^\ufffdx+…$/);
  });

  it('contain the start of a long message, and search only that for the filter', () => {
    const seen: string[] = [];
    const [row] = logRows(
      [lineItem({ message: `${'x'.repeat(1_999)}😀${'y'.repeat(5_000)}` })],
      (texts) => {
        seen.push(...texts);
        return texts.map(() => [[0, 3] as const]);
      },
      () => '',
    );
    assert.ok(row?.kind === 'line');
    assert.equal(row.text, 'x'.repeat(1_999));
    assert.deepEqual(row.found, [[0, 3]]);
    assert.deepEqual(seen, [row.text]);
  });

  it('show colors as styles of the text, and remove other escape sequences', () => {
    const message = '\u001b]0;title\u0007a\u001b[1;31mred\u001b[0m b\u001b[2K\u001b(B';
    const [row] = rows(lineItem({ message, logger: '\u001b[32mmotor\u001b[m' }));
    assert.ok(row?.kind === 'line');
    assert.equal(row.text, 'ared b');
    assert.equal(row.logger, 'motor');
    assert.deepEqual(row.styles, [{ start: 1, end: 4, bold: true, color: 1 }]);
    assert.ok(logsProtocol.rows.result({ start: 0, rows: [row] }));
    const details = logDetails(lineItem({ message, fields: '{"a":"\\u001b[31mb"}' }), names);
    assert.equal(details.message, 'ared b');
    assert.deepEqual(details.styles, row.styles);
    assert.deepEqual(details.entries[0], { name: 'a', value: 'b' });
  });

  it('include the action of a gap', () => {
    const gapRows = rows(
      gapItem({ reason: 'notLoaded' }),
      gapItem({ state: 'failed' }),
      gapItem({ state: 'filled' }),
      gapItem({ state: 'loading' }),
      gapItem({ state: 'loading', endMicros: undefined }),
    );
    assert.deepEqual(
      gapRows.map((row) => row.kind === 'gap' && [row.text, row.canLoad, row.loading]),
      [
        ['gap: notLoaded', true, false],
        ['gap: break', true, false],
        ['gap: break', false, false],
        ['gap: break', false, true],
        ['gap: break', false, false],
      ],
    );
  });

  it('match the protocol', () => {
    assert.ok(logsProtocol.rows.result({ start: -3, rows: rows(lineItem(), gapItem()) }));
  });
});

describe('details of a log line', () => {
  it('list the fields first, each in a readable format', () => {
    const line = lineItem({
      message: 'Moved\nfar.',
      fields: '{"deep":{"a":[1]},"name":"arm","speed":1.5}',
      caller: '{"Defined":true,"File":"arm/move.go","Function":"arm.Move","Line":42}',
      stack: 'at move\nat main\n',
      host: 'rover-07.local',
    });
    assert.deepEqual(logDetails(line, names), {
      message: 'Moved\nfar.',
      entries: [
        { name: 'deep', value: '{\n  "a": [\n    1\n  ]\n}' },
        { name: 'name', value: 'arm' },
        { name: 'speed', value: '1.5' },
        { name: 'Logger', value: 'motion' },
        { name: 'Caller', value: 'arm/move.go:42 (arm.Move)' },
        { name: 'Stack', value: 'at move\nat main' },
        { name: 'Host', value: 'rover-07.local' },
        { name: 'Time', value: '2026-03-01T12:00:00.123456Z' },
      ],
    });
  });

  it('include the time of receipt with clock skew', () => {
    const receivedMicros = lineItem().micros + 86_400_000_000;
    assert.deepEqual(logDetails(lineItem({ receivedMicros }), names).entries.slice(-2), [
      { name: 'Time', value: '2026-03-01T12:00:00.123456Z' },
      { name: 'Received', value: '2026-03-02T12:00:00.123456Z' },
    ]);
  });

  it('name the fields of loggers that send each in its own group', () => {
    const group = { Type: 15, Integer: 0, Interface: null, String: '' };
    const fields = [
      { ...group, Key: 'joint', String: 'elbow' },
      { ...group, Key: 'count', Integer: 3 },
      { ...group, Key: 'none' },
    ];
    const { entries } = logDetails(lineItem({ fields: JSON.stringify(fields), logger: '' }), names);
    assert.deepEqual(entries.slice(0, 3), [
      { name: 'joint', value: 'elbow' },
      { name: 'count', value: '3' },
      { name: 'none', value: '' },
    ]);
  });

  it('omit missing values, and preserve a caller in another format', () => {
    const { entries } = logDetails(lineItem({ logger: '', caller: '{"pc":7}' }), names);
    assert.deepEqual(entries, [
      { name: 'Caller', value: '{"pc":7}' },
      { name: 'Time', value: '2026-03-01T12:00:00.123456Z' },
    ]);
  });
});
