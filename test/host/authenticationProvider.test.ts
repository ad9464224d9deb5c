import assert from 'node:assert/strict';
import { ConnectionStore } from '../../src/core/sessions/connectionStore';
import { FleetAuthenticationProvider } from '../../src/host/features/connections/connections.feature';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { MemoryKeyValue, MemorySecrets } from '../support/memoryPorts';
import { silentLogger } from '../support/silentLogger';

describe('connections in the Accounts menu', () => {
  let fleet: MemoryFleet;
  let store: ConnectionStore;
  let provider: FleetAuthenticationProvider;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    store = new ConnectionStore({
      secrets: new MemorySecrets(),
      global: new MemoryKeyValue(),
      workspace: new MemoryKeyValue(),
      open: fleet.open,
      logger: silentLogger,
    });
    provider = new FleetAuthenticationProvider(store, signIn);
  });

  afterEach(async () => {
    provider.dispose();
    store.dispose();
    await fleet.close();
  });

  function signIn() {
    const { id: keyId, secret: key } = fleet.key;
    const { baseUrl } = fleet;
    return store.signIn({ baseUrl, keyId, key, label: 'Test', kind: 'cloud' });
  }

  it('are listed without a call and without a token', async () => {
    await signIn();
    const sessions = await provider.getSessions(undefined, {});
    assert.deepEqual(
      sessions.map(({ account, accessToken }) => [account.label, accessToken]),
      [['Test', '']],
    );
    assert.equal(fleet.calls.size, 0);
  });

  it('provide another extension with a token, never the key', async () => {
    const created = await provider.createSession();
    const [session] = await provider.getSessions([], { account: created.account });
    assert.ok(session);
    assert.notEqual(session.accessToken, '');
    assert.ok(!JSON.stringify(session).includes(fleet.key.secret));
  });

  it('are added and removed when the user signs in and out', async () => {
    const changes: string[] = [];
    provider.onDidChangeSessions(({ added = [], removed = [] }) => {
      changes.push(`+${added.length} -${removed.length}`);
    });
    const { id } = await provider.createSession();
    await provider.removeSession(id);
    assert.deepEqual(changes, ['+1 -0', '+0 -1']);
    assert.deepEqual(store.connections, []);
  });
});
