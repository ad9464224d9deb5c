import assert from 'node:assert/strict';
import { Emitter } from '../../../../../src/base/emitter';
import type { DocumentAddress } from '../../../../../src/core/documents/documentAddress';
import type { Connection } from '../../../../../src/core/model/connection';
import { type ConnectionId, connectionId, organizationId } from '../../../../../src/core/model/ids';
import type { FleetStores } from '../../../../../src/core/stores/fleetStores';
import { liveConfigSource } from '../../../../../src/host/features/documents/liveConfigSource';
import type { SessionProvider } from '../../../../../src/host/platform/sessionProvider';
import { FleetError } from '../../../../../src/core/api/errors';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { TestSessions } from '../../../../support/testSessions';

/** A session provider with which the user can sign in and out. */
class SigningIn implements SessionProvider {
  readonly active = undefined;
  readonly connections = [];
  readonly onDidChangeActive = new Emitter<Connection | undefined>().event;
  private readonly changed = new Emitter<void>();
  readonly onDidChangeConnections = this.changed.event;
  readonly onDidRecover = new Emitter<ConnectionId>().event;
  readonly onDidChangeSilence = new Emitter<ConnectionId>().event;
  readonly isSilent = (): boolean => false;
  private session: TestSessions | undefined;

  connection(): Connection | undefined {
    return this.session?.connectionToFleet;
  }

  stores(): FleetStores {
    if (!this.session) throw new FleetError('unauthenticated', 'Sign in.', { action: 'signIn' });
    return this.session.stores();
  }

  signIn(session: TestSessions | undefined): void {
    this.session = session;
    this.changed.fire();
  }
}

describe('liveConfigSource', () => {
  let fleet: MemoryFleet;
  let window: SigningIn;
  let address: DocumentAddress;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    window = new SigningIn();
    const id = organizationId(fleet.organizationId);
    address = { connectionId: connectionId('x'), subject: { type: 'organizationMetadata', id } };
  });

  afterEach(() => fleet.close());

  it('says that nobody is signed in, and works once somebody is', async () => {
    const source = liveConfigSource(window, address);
    await assert.rejects(source.read(), { kind: 'unauthenticated' });
    window.signIn(new TestSessions(fleet));
    assert.equal((await source.read()).text, '{}');
  });

  it('follows the stores of the session that there is', async () => {
    const source = liveConfigSource(window, address);
    let changeCount = 0;
    const following = source.onDidChange(() => {
      changeCount += 1;
    });
    const first = new TestSessions(fleet);
    window.signIn(first);
    assert.equal(changeCount, 1);
    await first.stores().metadata.update('organization', fleet.organizationId, { a: 1 });
    assert.equal(changeCount, 2);

    const second = new TestSessions(fleet);
    window.signIn(second);
    await first.stores().metadata.update('organization', fleet.organizationId, { a: 2 });
    const before = changeCount;
    await second.stores().metadata.update('organization', fleet.organizationId, { a: 3 });
    assert.equal(changeCount - before, 1);

    following.dispose();
    await second.stores().metadata.update('organization', fleet.organizationId, { a: 4 });
    assert.equal(changeCount - before, 1);
  });
});
