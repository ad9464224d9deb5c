import assert from 'node:assert/strict';
import { Emitter } from '../../src/base/emitter';
import type { ResponseChange } from '../../src/core/api/responseWatch';
import { organizationId } from '../../src/core/model/ids';
import type { OrganizationTarget } from '../../src/core/model/resourceTarget';
import { getErrorState } from '../../src/host/features/query/resultProblem';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { TestSessions } from '../support/testSessions';

describe('the error state of a query panel', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let responses: Emitter<ResponseChange>;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    responses = new Emitter();
    sessions = new TestSessions({
      ...fleet,
      open: (...request) => ({ ...fleet.open(...request), onDidChangeResponse: responses.event }),
    });
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  function openSession() {
    const target: OrganizationTarget = {
      kind: 'organization',
      connectionId: sessions.connectionToFleet.id,
      name: 'Acme',
      organizationId: organizationId(fleet.organizationId),
    };
    return {
      target,
      get isSignedIn() {
        return sessions.connections.length > 0;
      },
      get isSilent() {
        return sessions.isSilent();
      },
      get stores() {
        return sessions.stores();
      },
    };
  }

  it('requires a sign-in after a sign-out, even during the permission check', async () => {
    const session = openSession();
    assert.deepEqual(await getErrorState(session), {});
    sessions.stores().access.clear();
    const errorState = getErrorState(session);
    sessions.signOut();
    assert.equal((await errorState).recovery, 'signIn');
  });

  it('reports a service that does not respond, and still allows queries', async () => {
    const session = openSession();
    await session.stores.organizations.list();
    responses.fire({ kind: 'silent' });
    const { problem, canRun } = await getErrorState(session);
    assert.match(problem ?? '', /isn't responding/);
    assert.equal(canRun, true);
    responses.fire({ kind: 'answering' });
    assert.deepEqual(await getErrorState(session), {});
  });
});
