import assert from 'node:assert/strict';
import { formatDuration } from '../../../src/shared/formatDuration';

describe('formatDuration', () => {
  it('uses the two largest units', () => {
    const texts = [0, 6_400, 72_000, 3_600_000, 7_799_600, 200_000_000].map((milliseconds) =>
      formatDuration(milliseconds, 'en'),
    );
    assert.deepEqual(texts, [
      '0 sec',
      '6 sec',
      '1 min 12 sec',
      '1 hr',
      '2 hr 10 min',
      '2 days 7 hr',
    ]);
  });

  it('uses tenths below a minute on request', () => {
    const texts = [0, 400, 59_900, 72_000].map((milliseconds) =>
      formatDuration(milliseconds, 'en', 1),
    );
    assert.deepEqual(texts, ['0 sec', '0.4 sec', '59.9 sec', '1 min 12 sec']);
  });

  it('never returns sixty of a unit', () => {
    const texts = [59_700, 3_599_700, 86_399_700].map((milliseconds) =>
      formatDuration(milliseconds, 'en'),
    );
    assert.deepEqual(texts, ['1 min', '1 hr', '1 day']);
    assert.equal(formatDuration(59_970, 'en', 1), '1 min');
  });

  it("uses the user's language", () => {
    assert.equal(formatDuration(72_000, 'de'), '1 Min. 12 Sek.');
  });
});
