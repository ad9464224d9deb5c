import assert from 'node:assert/strict';
import { LineSender } from '../../../src/moduleRun/lineSender';

describe('LineSender', () => {
  it('sends one message at a time, and drops the oldest of many waiting lines', () => {
    const sent: { readonly lines: readonly string[]; readonly dropped: number }[] = [];
    const taken: (() => void)[] = [];
    const sender = new LineSender(({ lines, dropped }, done) => {
      sent.push({ lines, dropped });
      taken.push(done);
    });
    for (let line = 0; line < 100_000; line += 1) sender.add(String(line));
    assert.deepEqual(sent, [{ lines: ['0'], dropped: 0 }]);
    taken.shift()?.();
    const [, second] = sent;
    assert.equal(second?.lines.at(-1), '99999');
    assert.ok(second.lines.length <= 12_500);
    assert.equal(second.lines.length + second.dropped, 99_999);
    taken.shift()?.();
    assert.equal(sent.length, 2);
    sender.add('next');
    assert.deepEqual(sent.at(-1), { lines: ['next'], dropped: 0 });
  });

  it('limits lines by their length as well', () => {
    const sent: { readonly lines: readonly string[] }[] = [];
    const sender = new LineSender((event) => sent.push(event));
    for (let line = 0; line < 1_000; line += 1) sender.add('x'.repeat(10_000));
    sender.flush();
    assert.ok((sent[1]?.lines.length ?? 0) <= 125);
  });
});
