import assert from 'node:assert/strict';
import { partId } from '../../../../../src/core/model/ids';
import { isoMicros } from '../../../../../src/core/model/timestamp';
import {
  formatItemForCopy,
  formatNdjsonItem,
  formatPlainItem,
  type LineLabels,
} from '../../../../../src/host/features/logs/lineText';
import { gapItem, lineItem, partItem } from './logItems';

describe('log lines as text', () => {
  const labels: LineLabels = {
    part: ({ part }) => (part === partId('p1') ? partItem() : undefined),
    label: () => 'rover-07 › arm',
    gap: ({ reason }) => `gap: ${reason}`,
  };

  it('have times in microseconds, also before 1970', () => {
    assert.equal(isoMicros(1_772_366_400_000_007), '2026-03-01T12:00:00.000007Z');
    assert.equal(isoMicros(-1), '1969-12-31T23:59:59.999999Z');
  });

  it('look like a log file', () => {
    const line = lineItem({ fields: '{"speed":1.5}', message: 'Moved.\n' });
    assert.equal(
      formatPlainItem(line, labels),
      '2026-03-01T12:00:00.123456Z INFO  [rover-07 › arm] motion: Moved. {"speed":1.5}\n',
    );
  });

  it('preserve escape sequences in exports and remove them from copies', () => {
    const line = lineItem({ message: '\u001b[31mred\u001b[0m', fields: '{"a":"\\u001b[1mb"}' });
    assert.match(formatPlainItem(line, labels), /motion: \\u001b\[31mred\\u001b\[0m \{/);
    assert.match(formatItemForCopy(line, labels), /motion: red \{"a":"b"\}\n$/);
    assert.match(formatNdjsonItem(line, labels), /"message":"\\u001b\[31mred/);
  });

  it('indent the other fields of a line', () => {
    const line = lineItem({ message: 'one\r\ntwo', stack: 'at move\nat main\n', logger: '' });
    assert.equal(
      formatPlainItem(line, labels),
      '2026-03-01T12:00:00.123456Z INFO  [rover-07 › arm] one\n    two\n    at move\n    at main\n',
    );
  });

  it('contain no terminal commands', () => {
    const line = lineItem({
      message: 'a\tb\u001b[2J\u001b]0;t\u0007\u0085c\u2028d',
      logger: '\u001b[31m',
    });
    assert.equal(
      formatPlainItem(line, labels),
      String.raw`2026-03-01T12:00:00.123456Z INFO  [rover-07 › arm] \u001b[31m: a` +
        `\tb${String.raw`\u001b[2J\u001b]0;t\u0007\u0085c\u2028d`}\n`,
    );
  });

  it('mark gaps', () => {
    assert.equal(formatPlainItem(gapItem(), labels), '# 2026-03-01T12:00:00.000000Z gap: break\n');
  });

  it('are JSON objects, one per line, with nothing omitted or rounded', () => {
    const line = lineItem({
      message: 'one\ntwo "three"',
      fields: '{"count":12345678901234567890}',
      caller: '{"File":"a.go"}',
      stack: 'at\nmain',
      host: 'h',
    });
    const text = formatNdjsonItem(line, labels);
    assert.equal(text.indexOf('\n'), text.length - 1);
    assert.match(text, /"fields":\{"count":12345678901234567890\}/);
    assert.deepEqual(JSON.parse(text), {
      time: '2026-03-01T12:00:00.123456Z',
      partId: 'p1',
      part: 'rover-07-main',
      machine: 'rover-07',
      level: 'info',
      logger: 'motion',
      message: 'one\ntwo "three"',
      fields: { count: Number('12345678901234567890') },
      caller: { File: 'a.go' },
      stack: 'at\nmain',
      host: 'h',
    });
  });

  it('omit the names of removed parts, and gaps', () => {
    const text = formatNdjsonItem(lineItem({ part: partId('p2') }), labels);
    assert.deepEqual(Object.keys(JSON.parse(text) as object), [
      'time',
      'partId',
      'level',
      'logger',
      'message',
    ]);
    assert.equal(formatNdjsonItem(gapItem(), labels), '');
  });
});
