import assert from 'node:assert/strict';
import { organizationId } from '../../src/core/model/ids';
import type { OrganizationTarget } from '../../src/core/model/resourceTarget';
import { troubleOf } from '../../src/host/features/query/trouble';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { TestSessions } from '../support/testSessions';

describe('why a query panel cannot ask', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  it('is that it was signed out, also while its rights are asked for', async () => {
    const target: OrganizationTarget = {
      ...{ kind: 'organization', connectionId: sessions.connectionToFleet.id, name: 'Acme' },
      organizationId: organizationId(fleet.organizationId),
    };
    const session = {
      target,
      get isSignedIn() {
        return sessions.connections.length > 0;
      },
      get stores() {
        return sessions.stores();
      },
    };
    assert.deepEqual(await troubleOf(session), {});
    sessions.stores().access.forget();
    const asked = troubleOf(session);
    sessions.signOut();
    assert.equal((await asked).way, 'signIn');
  });
});
