import assert from 'node:assert/strict';
import { createClient, type Transport } from '@connectrpc/connect';
import { FleetError } from '../../../../src/core/api/errors';
import { apiKeyId, organizationId } from '../../../../src/core/model/ids';
import { ConnectionStore } from '../../../../src/core/sessions/connectionStore';
import { AuthService } from '../../../../src/gen/proto/rpc/v1/auth_pb';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { MemoryKeyValue, MemorySecrets } from '../../../support/memoryPorts';
import { silentLogger } from '../../../support/silentLogger';

/** Secret storage whose operations tests can delay or make fail. */
class FailingSecrets extends MemorySecrets {
  beforeStore: () => Promise<void> = () => Promise.resolve();

  override async store(key: string, value: string): Promise<void> {
    await this.beforeStore();
    await super.store(key, value);
  }
}

describe('a key that is rotated while it is in use', () => {
  let fleet: MemoryFleet;
  let open: MemoryFleet['open'];
  let secrets: FailingSecrets;
  let global: MemoryKeyValue;
  let workspace: MemoryKeyValue;
  const windows: ConnectionStore[] = [];

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    ({ open } = fleet);
    secrets = new FailingSecrets();
    global = new MemoryKeyValue();
    workspace = new MemoryKeyValue();
  });

  afterEach(async () => {
    for (const window of windows.splice(0)) window.dispose();
    await fleet.close();
  });

  function openWindow(): ConnectionStore {
    const window = new ConnectionStore({
      secrets,
      global,
      workspace,
      open: (...call) => open(...call),
      logger: silentLogger,
    });
    windows.push(window);
    return window;
  }

  async function openSignedIn() {
    const store = openWindow();
    const { id, secret } = fleet.key;
    const request = { baseUrl: fleet.baseUrl, keyId: id, key: secret, label: 'Test' };
    const connection = await store.signIn({ ...request, kind: 'cloud' });
    await store.stores(connection.id).organizations.list();
    return { store, id: connection.id };
  }

  const organization = () => organizationId(fleet.organizationId);
  const keyInUse = () => apiKeyId(fleet.key.id);

  function authenticate(keyId: string, key: string) {
    const auth = createClient(AuthService, fleet.wire());
    return auth.authenticate({ entity: keyId, credentials: { type: 'api-key', payload: key } });
  }

  function readOrganizations(store: ConnectionStore, id = store.active?.id) {
    assert.ok(id);
    return store.stores(id).organizations.list({ fresh: true });
  }

  it('continues to work after a rotation and a reload, and the old key is invalid', async () => {
    const { store, id } = await openSignedIn();
    const stores = store.stores(id);
    const { key, notStored } = await store.rotateKey(id, organization(), keyInUse());
    assert.equal(notStored, undefined);
    assert.equal(key.id, fleet.key.id);
    assert.notEqual(key.secret, fleet.key.secret);
    await assert.rejects(authenticate(fleet.key.id, fleet.key.secret));
    await authenticate(key.id, key.secret);
    assert.equal(store.stores(id), stores);
    assert.equal((await readOrganizations(store)).length, 1);
    assert.equal(store.session(id).state.kind, 'connected');
    assert.equal((await readOrganizations(openWindow())).length, 1);
  });

  it('does not reload cached data', async () => {
    const { store, id } = await openSignedIn();
    let changes = 0;
    store.stores(id).organizations.onDidChange(() => (changes += 1));
    fleet.calls.clear();
    await store.rotateKey(id, organization(), keyInUse());
    await store.stores(id).organizations.list();
    assert.equal(changes, 0);
    assert.equal(fleet.calls.get('ListOrganizations'), undefined);
  });

  it('delays calls until the new key is stored', async () => {
    const { store, id } = await openSignedIn();
    let reading: Promise<unknown> | undefined;
    secrets.beforeStore = async () => {
      reading = Promise.all([
        readOrganizations(store),
        store.stores(id).fragments.list(organization(), { fresh: true }),
      ]);
      await new Promise(setImmediate);
    };
    await store.rotateKey(id, organization(), keyInUse());
    await reading;
    assert.equal(store.session(id).state.kind, 'connected');
  });

  it('is exchanged again if the old one was in transit during the rotation', async () => {
    const { store, id } = await openSignedIn();
    const connection = store.connection(id);
    assert.ok(connection);
    const secretsRead = ['the old one', fleet.key.secret];
    const { getToken } = fleet.open(connection, () =>
      Promise.resolve({ id: fleet.key.id, secret: secretsRead.shift() ?? '' }),
    );
    assert.match(await getToken(), /./);
    assert.deepEqual(secretsRead, []);
  });

  it('is adopted by the other windows, including those with a rejected key', async () => {
    const { store, id } = await openSignedIn();
    const [there, late] = [openWindow(), openWindow()];
    await readOrganizations(there);
    await readOrganizations(late);
    secrets.beforeStore = async () => {
      await assert.rejects(readOrganizations(late), isUnauthenticated);
      assert.equal(late.session(id).state.kind, 'failing');
    };
    await store.rotateKey(id, organization(), keyInUse());
    await new Promise(setImmediate);
    assert.equal((await readOrganizations(there)).length, 1);
    assert.equal(late.session(id).state.kind, 'idle');
    assert.equal((await readOrganizations(late)).length, 1);
  });

  it('returns the new key if it cannot be stored', async () => {
    const { store, id } = await openSignedIn();
    secrets.beforeStore = () => Promise.reject(new Error('the keyring is locked'));
    const { key, notStored } = await store.rotateKey(id, organization(), keyInUse());
    assert.match(String(notStored), /keyring is locked/);
    await authenticate(key.id, key.secret);
    await assert.rejects(readOrganizations(store), isUnauthenticated);
    secrets.beforeStore = () => Promise.resolve();
    const again = { baseUrl: fleet.baseUrl, keyId: key.id, key: key.secret, label: 'Test' };
    assert.equal((await store.signIn({ ...again, kind: 'cloud' })).id, id);
    assert.equal((await readOrganizations(store)).length, 1);
  });

  it('does not sign in again if the user signs out in the meantime', async () => {
    const { store, id } = await openSignedIn();
    const { promise: rotated, resolve: onRotated } = Promise.withResolvers<undefined>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>();
    open = (...call) => {
      const opened = fleet.open(...call);
      const unary: Transport['unary'] = async (method, ...rest) => {
        const response = await opened.transport.unary(method, ...rest);
        onRotated(undefined);
        await answered;
        return response;
      };
      return { ...opened, transport: { ...opened.transport, unary } };
    };
    const rotating = store.rotateKey(
      id,
      organizationId(fleet.organizationId),
      apiKeyId(fleet.key.id),
    );
    await rotated;
    await store.signOut(id);
    answer(undefined);
    assert.ok((await rotating).notStored instanceof FleetError);
    assert.deepEqual([[...secrets.values], store.connections], [[], []]);
  });

  it('is unchanged if the service rejects the rotation', async () => {
    const { store, id } = await openSignedIn();
    const before = [...secrets.values];
    const nobody = apiKeyId('11111111-2222-4333-8444-555555555555');
    await assert.rejects(store.rotateKey(id, organization(), nobody));
    assert.deepEqual([...secrets.values], before);
    assert.equal((await readOrganizations(store)).length, 1);
  });

  it('is stored for another connection that signs in with it', async () => {
    const { store, id } = await openSignedIn();
    const other = await store.stores(id).apiKeys.create(organization(), {
      name: 'other',
      roles: [{ name: 'operator', resourceType: 'organization', resourceId: organization() }],
    });
    const request = { baseUrl: fleet.baseUrl, keyId: other.id, key: other.secret, label: 'Other' };
    const second = await store.signIn({ ...request, kind: 'cloud' });
    await readOrganizations(store, second.id);
    await store.rotateKey(id, organization(), apiKeyId(other.id));
    assert.equal((await readOrganizations(store, second.id)).length, 1);
    await store.deleteKey(id, organization(), apiKeyId(other.id));
    assert.equal(store.connection(second.id), undefined);
    assert.ok(store.connection(id));
  });

  it('signs all windows out when it is deleted', async () => {
    const { store, id } = await openSignedIn();
    const there = openWindow();
    await readOrganizations(there);
    await store.stores(id).apiKeys.create(organization(), {
      name: 'another owner',
      roles: [{ name: 'owner', resourceType: 'organization', resourceId: organization() }],
    });
    await store.deleteKey(id, organization(), keyInUse());
    await new Promise(setImmediate);
    assert.equal(store.active, undefined);
    assert.equal(there.active, undefined);
    assert.equal(secrets.values.size, 0);
    await assert.rejects(authenticate(fleet.key.id, fleet.key.secret));
  });

  it('is stored only in the secret storage', async () => {
    const { store, id } = await openSignedIn();
    const { key } = await store.rotateKey(id, organization(), keyInUse());
    const state = JSON.stringify([...global.values, ...workspace.values, store.connections]);
    assert.ok(!state.includes(key.secret));
    const listed = await store.stores(id).apiKeys.list(organization());
    assert.ok(!JSON.stringify(listed).includes(key.secret));
    assert.ok(JSON.stringify([...secrets.values]).includes(key.secret));
  });
});

function isUnauthenticated(error: unknown): boolean {
  return error instanceof FleetError && error.kind === 'unauthenticated';
}
