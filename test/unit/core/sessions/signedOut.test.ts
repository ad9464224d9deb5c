import assert from 'node:assert/strict';
import type { Localizer } from '../../../../src/base/localizer';
import { type Connection, toConnectionId } from '../../../../src/core/model/connection';
import { organizationId } from '../../../../src/core/model/ids';
import type { OpenTransport } from '../../../../src/core/api/connectionTransport';
import { FleetError } from '../../../../src/core/api/errors';
import { FleetSession } from '../../../../src/core/sessions/fleetSession';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { toPseudoText } from '../../../support/pseudoTexts';

const isSignedOut = {
  kind: 'unauthenticated',
  action: 'signIn',
  message: 'You are signed out of "Test". Sign in again to continue.',
};

describe('a session after the sign-out', () => {
  let fleet: MemoryFleet;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
  });
  afterEach(() => fleet.close());

  function openSession(open: OpenTransport = fleet.open, l10n?: Localizer): FleetSession {
    const { key } = fleet;
    return new FleetSession(connection(), open, () => Promise.resolve(key), undefined, l10n);
  }

  function connection(): Connection {
    const { key, baseUrl } = fleet;
    return { id: toConnectionId(key.id), label: 'Test', baseUrl, keyId: key.id, kind: 'cloud' };
  }

  it('makes no calls with its old key, even for holders of its stores', async () => {
    const session = openSession();
    const { registry } = session.stores;
    const organization = organizationId(fleet.organizationId);
    const { id } = await registry.createModule(organization, 'weather');
    session.dispose();
    fleet.calls.clear();
    async function* read(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(new Uint8Array(8));
    }
    const upload = { id, organizationId: organization, version: '1.0.0', platform: 'any', read };
    await assert.rejects(registry.uploadModule(upload), isSignedOut);
    await assert.rejects(registry.get(id, { fresh: true }), isSignedOut);
    await assert.rejects(session.getToken(), isSignedOut);
    assert.deepEqual([...fleet.calls], []);
  });

  it('preserves its stores, which work again after the next sign-in', async () => {
    const session = openSession();
    const { organizations } = session.stores;
    await organizations.list();
    session.signOut();
    fleet.calls.clear();
    await assert.rejects(organizations.list(), isSignedOut);
    await assert.rejects(session.getToken(), isSignedOut);
    session.reopen();
    assert.deepEqual([[...fleet.calls], session.state.kind], [[], 'idle']);
    session.use(connection());
    assert.equal((await organizations.list()).length, 1);
    assert.equal(session.state.kind, 'connected');
  });

  it('rejects a call that the sign-out has interrupted, even after the next sign-in', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    let isCut = false;
    const session = openSession((...call) => {
      const opened = fleet.open(...call);
      return isCut
        ? opened
        : { ...opened, transport: { unary: () => promise, stream: () => promise } };
    });
    const reading = session.stores.organizations.list();
    await new Promise(setImmediate);
    session.signOut();
    isCut = true;
    session.use(connection());
    await session.stores.organizations.list();
    reject(new FleetError('unavailable', 'The socket was closed.'));
    await assert.rejects(reading, isSignedOut);
    assert.equal(session.state.kind, 'connected');
  });

  it("reports the sign-out in the user's language", async () => {
    const session = openSession(fleet.open, { t: toPseudoText });
    session.dispose();
    const message = toPseudoText('You are signed out of "{0}". Sign in again to continue.');
    await assert.rejects(session.getToken(), { message });
  });

  it('reports the sign-out for an interrupted call', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const session = openSession((...call) => ({
      ...fleet.open(...call),
      transport: { unary: () => promise, stream: () => promise },
      dispose: () => reject(new Error('the socket was closed')),
    }));
    const reading = session.stores.organizations.list();
    setImmediate(() => session.dispose());
    await assert.rejects(reading, isSignedOut);
  });
});
