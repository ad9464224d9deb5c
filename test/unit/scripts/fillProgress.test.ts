import assert from 'node:assert/strict';
import { FillProgress } from '../../../scripts/support/fillProgress';

function progressOn(isTTY: boolean) {
  let text = '';
  let time = 0;
  const output = { isTTY, write: (more: string) => (text += more) };
  const counts = { readings: 4_000, images: 10, pointClouds: 0 };
  const progress = new FillProgress(counts, output, () => time);
  return {
    progress,
    text: () => text,
    pass: (milliseconds: number) => (time += milliseconds),
  };
}

describe('FillProgress', () => {
  it('writes one line for each completed kind', () => {
    const { progress, text, pass } = progressOn(false);
    pass(1_000);
    progress.report('readings', 1_000);
    pass(1_000);
    progress.report('readings', 4_000);
    pass(2_000);
    progress.report('images', 1);
    pass(2_000);
    progress.report('images', 10);
    progress.end();
    assert.equal(
      text(),
      'readings      4,000 in 4.0 s, 1,000 a second\nimages        10 in 2.0 s, 5.0 a second\n',
    );
  });

  it('updates a line on a terminal', () => {
    const { progress, text, pass } = progressOn(true);
    pass(1_000);
    progress.report('readings', 1_000);
    progress.report('readings', 1_001);
    const clear = '\r\u001b[2K';
    const line = `${clear}readings      1,000 of 4,000 (25 %), 1,000 a second`;
    assert.equal(text(), line);
    progress.end();
    assert.equal(text(), `${line}${clear}readings      1,001 in 1.0 s, 1,001 a second\n`);
  });
});
