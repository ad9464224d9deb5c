import assert from 'node:assert/strict';
import { Calendar } from '../../../../src/service/demo/story';

const SATURDAY = new Date('2026-11-21T04:00:00Z');
const MONDAY = new Date('2026-11-23T18:00:00Z');

describe('Calendar', () => {
  it('counts back working days, including from a weekend', () => {
    const calendar = new Calendar(SATURDAY, 0);
    assert.equal(calendar.getPastTime(1, 'x').toISOString().slice(0, 10), '2026-11-20');
    assert.equal(calendar.getPastTime(6, 'x').toISOString().slice(0, 10), '2026-11-13');
    assert.equal(
      new Calendar(MONDAY, 0).getPastTime(1, 'x').toISOString().slice(0, 10),
      '2026-11-20',
    );
  });

  it('spreads events over the working hours of the time zone, deterministically', () => {
    const calendar = new Calendar(SATURDAY, 2);
    const dates = Array.from({ length: 50 }, (_, index) =>
      calendar.getPastTime(1, `edit ${index}`),
    );
    for (const date of dates) {
      const localHour = date.getUTCHours() + 2;
      assert.ok(localHour >= 7 && localHour < 17, date.toISOString());
    }
    assert.ok(new Set(dates.map(Number)).size > 45);
    assert.deepEqual(calendar.getPastTime(1, 'edit 7'), dates[7]);
  });
});
