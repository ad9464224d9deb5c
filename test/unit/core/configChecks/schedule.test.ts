import assert from 'node:assert/strict';
import { englishLocalizer } from '../../../../src/base/localizer';
import {
  describeSchedule,
  findUnsupportedCronPart,
  parseDuration,
  parseSchedule,
} from '../../../../src/core/configChecks/schedule';

describe('schedules', () => {
  it('parse durations like Go', () => {
    const durations = {
      '0': 0,
      '5s': 5_000,
      '1h30m': 5_400_000,
      '1.5s': 1_500,
      '.5s': 500,
      '-2ms': -2,
    };
    for (const [text, milliseconds] of Object.entries(durations)) {
      assert.equal(parseDuration(text), milliseconds, text);
    }
    assert.equal(parseDuration('3µs'), 0.003);
    for (const text of ['', '5', '5 s', 's', '1d', '1h 30m', '--1s', '.s', '5S']) {
      assert.equal(parseDuration(text), undefined, text);
    }
  });

  it('accept only what a machine runs', () => {
    for (const text of [
      '5s',
      'continuous',
      '0 */5 * * * *',
      '40 2 * * *',
      '0 9 * * MON-FRI',
      '@hourly',
      '@every 5s',
      'CRON_TZ=UTC 0 5 * * *',
    ]) {
      assert.ok(parseSchedule(text), text);
    }
    for (const text of [
      '',
      '-5s',
      '0s',
      'sometimes',
      '* * *',
      '60 * * * *',
      '* * * * * * *',
      ' 5s ',
      '@often',
    ]) {
      assert.equal(parseSchedule(text), undefined, text);
    }
  });

  it('name what only other cron programs support', () => {
    const unsupported = {
      '0 9 L * *': 'L',
      '0 9 15W * *': 'W',
      '0 9 * * WED#2': '#',
      '0 9 * * 5L': 'L',
      '0 0 9 * * 7': '7',
      '0 9 * * 1-7': '7',
      'TZ=UTC 0 9 * * 6,7': '7',
    };
    for (const [text, part] of Object.entries(unsupported)) {
      assert.equal(findUnsupportedCronPart(text), part, text);
    }
    for (const text of [
      '5s',
      'continuous',
      '@weekly',
      '7 7 7 7 *',
      '0 9 ? JUL WED',
      '0 9 * * */7',
    ]) {
      assert.equal(findUnsupportedCronPart(text), undefined, text);
    }
  });

  it('are explained, including cron expressions in other languages', () => {
    const explain = (text: string, language?: string): string | undefined => {
      const schedule = parseSchedule(text, language);
      return schedule && describeSchedule(schedule, englishLocalizer);
    };
    assert.equal(explain('90m'), 'Runs every 1 h 30 min');
    assert.equal(explain('1.5s'), 'Runs every 1 s 500 ms');
    assert.equal(explain('continuous'), 'Runs again as soon as the previous call has ended');
    assert.equal(explain('40 2 * * *'), 'At 02:40, every day');
    assert.equal(explain('0 */5 * * * *'), 'Every 5 minutes, every hour, every day');
    assert.match(explain('40 2 * * *', 'de') ?? '', /02:40/);
    assert.notEqual(explain('40 2 * * *', 'ja'), explain('40 2 * * *'));
    assert.notEqual(explain('40 2 * * *', 'zh-cn'), explain('40 2 * * *'));
  });
});
