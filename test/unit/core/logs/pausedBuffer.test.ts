import assert from 'node:assert/strict';
import { PausedBuffer } from '../../../../src/core/logs/logView';
import type { LogGap, LogItem } from '../../../../src/core/logs/logItem';
import { partId } from '../../../../src/core/model/ids';

function lineAt(micros: number, key: number): LogItem {
  return {
    kind: 'line',
    key,
    micros,
    part: partId('part'),
    level: 'info',
    levelText: 'info',
    logger: '',
    message: '',
    host: '',
    stack: '',
    fields: '',
    caller: '',
  };
}

const gap: LogGap = {
  kind: 'gap',
  key: 9,
  reason: 'break',
  parts: [partId('part')],
  micros: 25,
  endMicros: undefined,
  state: 'loading',
  loaded: 0,
};

describe('PausedBuffer', () => {
  it('returns its items once in the order of a log', () => {
    const buffer = new PausedBuffer();
    buffer.add([lineAt(20, 1), lineAt(30, 2)]);
    buffer.add([]);
    buffer.add([lineAt(10, 3), gap]);
    assert.equal(buffer.lines, 3);
    assert.deepEqual(
      buffer.take().map(({ key }) => key),
      [3, 1, 9, 2],
    );
    assert.deepEqual([buffer.lines, buffer.take()], [0, []]);
  });

  it('counts only the lines that are retained', () => {
    const buffer = new PausedBuffer();
    buffer.add([lineAt(10, 1), lineAt(20, 2), gap]);
    buffer.retain(({ micros }) => micros > 10);
    assert.equal(buffer.lines, 1);
    buffer.retain(({ kind }) => kind === 'gap');
    assert.equal(buffer.lines, 0);
  });

  it('returns the current state of a gap', () => {
    const buffer = new PausedBuffer();
    buffer.add([lineAt(10, 1), gap]);
    buffer.replace({ ...gap, state: 'filled' });
    buffer.replace({ ...gap, key: 10, state: 'failed' });
    assert.deepEqual(
      buffer.take().flatMap((item) => (item.kind === 'gap' ? [item.state] : [])),
      ['filled'],
    );
    assert.equal(buffer.lines, 0);
  });
});
