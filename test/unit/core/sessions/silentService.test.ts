import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/emitter';
import { FleetError } from '../../../../src/core/api/errors';
import type { ResponseChange } from '../../../../src/core/api/responseWatch';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

describe('FleetSession of a service that does not respond', () => {
  let fleet: MemoryFleet;
  let responses: Emitter<ResponseChange>;
  let sessions: TestSessions;
  let silences: boolean[];

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    responses = new Emitter();
    sessions = new TestSessions({
      ...fleet,
      open: (...request) => ({
        ...fleet.open(...request),
        onDidChangeResponse: responses.event,
      }),
    });
    silences = [];
    sessions.onDidChangeSilence(() => silences.push(sessions.isSilent()));
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  it('is silent until the service responds, and does not reload after that', async () => {
    const { session } = sessions;
    await session.stores.organizations.list();
    let refreshed = 0;
    session.onDidRecover(() => (refreshed += 1));
    responses.fire({ kind: 'silent' });
    assert.deepEqual([session.state.kind, sessions.isSilent()], ['silent', true]);
    responses.fire({ kind: 'answering' });
    assert.deepEqual([session.state.kind, sessions.isSilent()], ['connected', false]);
    assert.deepEqual([silences, refreshed], [[true, false], 0]);
  });

  it('is no longer silent after any call succeeds', async () => {
    const { session } = sessions;
    await session.stores.organizations.list();
    responses.fire({ kind: 'silent' });
    await session.stores.organizations.list({ fresh: true });
    assert.equal(session.state.kind, 'connected');
    responses.fire({ kind: 'answering' });
    assert.deepEqual(silences, [true, false]);
  });

  it('fails when the connection of a silent service is lost, and recovers after that', async () => {
    const { session } = sessions;
    const error = new FleetError('unavailable', 'Nothing listens there.');
    await session.stores.organizations.list();
    responses.fire({ kind: 'silent' });
    responses.fire({ kind: 'lost', error });
    assert.deepEqual(session.state, { kind: 'failing', error });
    const recovered: string[] = [];
    session.onDidRecover(() => recovered.push('recovered'));
    await session.stores.organizations.list({ fresh: true });
    assert.deepEqual([recovered, silences], [['recovered'], [true, false]]);
  });

  it('preserves the reason of a failed call when the probe is lost as well', async () => {
    const { session } = sessions;
    const error = new FleetError('unavailable', 'Nothing listens there.');
    await session.stores.organizations.list();
    responses.fire({ kind: 'lost', error });
    assert.equal(session.state.kind, 'connected');
  });
});
