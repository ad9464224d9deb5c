import assert from 'node:assert/strict';
import { partId } from '../../src/core/model/ids';
import { formatGap } from '../../src/host/features/logs/logPanel';
import { panelTitle } from '../../src/host/features/logs/panelParts';
import { formatElapsed, formatNumber } from '../../src/host/platform/text/displayText';

const MICROS_PER_SECOND = 1_000_000;

describe('the texts of the log panel', () => {
  it('name the parts', () => {
    assert.equal(panelTitle([]), 'Logs');
    assert.equal(panelTitle(['rover-07']), 'Logs: rover-07');
    assert.equal(panelTitle(['rover-07', 'rover-08', 'agv']), 'Logs: rover-07 and 2 more');
  });

  it('format durations', () => {
    const texts = [400, 6_000, 59_000, 72_000, 3_600_000, 7_799_600, 200_000_000].map(
      formatElapsed,
    );
    assert.deepEqual(texts, [
      '0.4 sec',
      '6 sec',
      '59 sec',
      '1 min 12 sec',
      '1 hr',
      '2 hr 10 min',
      '2 days 7 hr',
    ]);
    assert.equal(formatNumber(1_204), '1,204');
  });

  it('describe a gap and its state', () => {
    const gap = {
      kind: 'gap',
      key: 1,
      parts: [partId('p')],
      micros: 0,
      endMicros: 6 * MICROS_PER_SECOND,
      loaded: 0,
    } as const;
    const texts = [
      formatGap({ ...gap, reason: 'break', state: 'loading', endMicros: undefined }, []),
      formatGap({ ...gap, reason: 'break', state: 'filled' }, []),
      formatGap({ ...gap, reason: 'break', state: 'filled', loaded: 1 }, []),
      formatGap({ ...gap, reason: 'break', state: 'filled', loaded: 1_204 }, ['arm', 'agv']),
      formatGap({ ...gap, reason: 'missed', state: 'loading' }, []),
      formatGap({ ...gap, reason: 'missed', state: 'open', loaded: 500 }, []),
      formatGap({ ...gap, reason: 'break', state: 'failed' }, []),
      formatGap({ ...gap, reason: 'break', state: 'failed', endMicros: 9 }, []),
      formatGap({ ...gap, reason: 'notLoaded', state: 'open' }, []),
      formatGap({ ...gap, reason: 'notLoaded', state: 'loading' }, []),
      formatGap({ ...gap, reason: 'notLoaded', state: 'failed' }, []),
    ];
    assert.deepEqual(texts, [
      'Connection lost. Missed log lines load when the connection is restored.',
      'Connection lost for 6 sec. No lines were logged in the meantime.',
      'Connection lost for 6 sec. 1 missed line was loaded.',
      'arm and agv: Connection lost for 6 sec. 1,204 missed lines were loaded.',
      '6 sec of log lines are missing because they arrived too fast. Loading lines that were logged in the meantime…',
      '6 sec of log lines are missing because they arrived too fast. 500 lines have been loaded, and there are more.',
      "Connection lost for 6 sec. Couldn't load the lines that were logged in the meantime.",
      "Connection lost. Couldn't load the lines that were logged in the meantime.",
      'The lines for the next 6 sec are not loaded.',
      'Loading the lines for the next 6 sec…',
      "Couldn't load the lines for the next 6 sec.",
    ]);
  });
});
