import assert from 'node:assert/strict';
import type { OnlineStatus } from '../../../../src/core/model/entities';
import { getPresence } from '../../../../src/core/model/presence';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const MINUTE_MS = 60_000;

function getPresenceStatus(status: OnlineStatus, minutesAgo?: number): OnlineStatus {
  const lastAccess =
    minutesAgo === undefined ? undefined : new Date(NOW.getTime() - minutesAgo * MINUTE_MS);
  return getPresence({ status, lastAccess }, NOW).status;
}

describe('getPresence', () => {
  it('returns online for a machine with a recent call', () => {
    assert.equal(getPresenceStatus('online', 0), 'online');
    assert.equal(getPresenceStatus('online', 10), 'online');
    assert.equal(getPresenceStatus('unknown', 1), 'online');
  });

  it('returns neither online nor offline for a machine without calls for ten minutes', () => {
    assert.equal(getPresenceStatus('online', 11), 'unknown');
    assert.equal(getPresenceStatus('unknown', 11), 'unknown');
  });

  it('returns the state of the service otherwise', () => {
    assert.equal(getPresenceStatus('offline', 1), 'offline');
    assert.equal(getPresenceStatus('awaitingSetup'), 'awaitingSetup');
    assert.equal(getPresenceStatus('unknown'), 'unknown');
    assert.equal(getPresenceStatus('online'), 'online');
  });
});
