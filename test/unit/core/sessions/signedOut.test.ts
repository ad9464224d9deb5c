import assert from 'node:assert/strict';
import type { Localizer } from '../../../../src/base/localizer';
import { toConnectionId } from '../../../../src/core/model/connection';
import { organizationId } from '../../../../src/core/model/ids';
import type { OpenTransport } from '../../../../src/core/api/connectionTransport';
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
    const { key, baseUrl } = fleet;
    const id = toConnectionId(key.id);
    const connection = { id, label: 'Test', baseUrl, keyId: key.id, kind: 'cloud' } as const;
    return new FleetSession(connection, open, () => Promise.resolve(key), undefined, l10n);
  }

  it('calls nothing with what is left of its key, no matter who still holds its stores', async () => {
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

  it("says so in the user's language", async () => {
    const session = openSession(fleet.open, { t: toPseudoText });
    session.dispose();
    const message = toPseudoText('You are signed out of "{0}". Sign in again to continue.');
    await assert.rejects(session.getToken(), { message });
  });

  it('says so of a call that the sign-out has cut', async () => {
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
