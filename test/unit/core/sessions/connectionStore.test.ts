import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import { createConfigSource } from '../../../../src/core/documents/documentSources';
import { toConnectionId } from '../../../../src/core/model/connection';
import { type ConnectionId, organizationId } from '../../../../src/core/model/ids';
import { ConnectionStore } from '../../../../src/core/sessions/connectionStore';
import { connectionLabel, verifyCredentials } from '../../../../src/core/sessions/fleetSession';
import type { WhenReady } from '../../../../src/core/api/connectionTransport';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { MemoryKeyValue, MemorySecrets } from '../../../support/memoryPorts';
import { silentLogger } from '../../../support/silentLogger';

const OTHER_KEY_ID = '11111111-2222-4333-8444-555555555555';

function isUnauthenticated(error: unknown): boolean {
  return (
    error instanceof FleetError && error.kind === 'unauthenticated' && error.action === 'signIn'
  );
}

describe('ConnectionStore', () => {
  let fleet: MemoryFleet;
  let secrets: MemorySecrets;
  let global: MemoryKeyValue;
  let workspace: MemoryKeyValue;
  const windows: ConnectionStore[] = [];

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    secrets = new MemorySecrets();
    global = new MemoryKeyValue();
    workspace = new MemoryKeyValue();
  });

  afterEach(async () => {
    for (const window of windows.splice(0)) window.dispose();
    await fleet.close();
  });

  function openWindow(ownWorkspace = workspace, whenReady?: WhenReady): ConnectionStore {
    const options = { secrets, global, workspace: ownWorkspace, open: fleet.open, whenReady };
    const window = new ConnectionStore({ ...options, logger: silentLogger });
    windows.push(window);
    return window;
  }

  function credentials(keyId = fleet.key.id, baseUrl = fleet.baseUrl) {
    return { baseUrl, keyId, key: fleet.key.secret };
  }

  async function signIn(store: ConnectionStore, keyId?: string, baseUrl?: string) {
    return store.signIn({ ...credentials(keyId, baseUrl), label: 'Test', kind: 'cloud' });
  }

  it('has an active connection as soon as it announces the connection', async () => {
    const store = openWindow();
    const announced = new Promise<void>((resolve) => {
      const subscription = store.onDidChangeConnections(() => {
        subscription.dispose();
        resolve();
      });
    });
    const stored = Promise.withResolvers<undefined>();
    workspace.update = () => stored.promise;
    const signedIn = signIn(store);
    await announced;
    await new Promise(setImmediate);
    assert.equal(store.active?.keyId, fleet.key.id);
    stored.resolve(undefined);
    await signedIn;
  });

  it('waits until its service is ready before it requests a token', async () => {
    const waits: string[] = [];
    const store = openWindow(workspace, ({ id }) => {
      waits.push(id);
      return Promise.resolve();
    });
    const { id } = await signIn(store);
    waits.length = 0;
    await store.session(id).getTokenNow();
    assert.deepEqual(waits, []);
    await store.session(id).getToken();
    assert.deepEqual(waits, [id]);
  });

  it('connects from its sign-in to its sign-out', async () => {
    const store = openWindow();
    assert.equal(store.active, undefined);
    const connection = await signIn(store);
    assert.deepEqual(store.active, connection);
    const organizations = await store.stores(connection.id).organizations.list();
    assert.deepEqual(
      organizations.map(({ id }) => id),
      [fleet.organizationId],
    );
    await store.signOut(connection.id);
    assert.equal(store.active, undefined);
    assert.throws(() => store.stores(connection.id), isUnauthenticated);
    assert.equal(secrets.values.size, 0);
    assert.deepEqual([...global.values.keys()], ['lastActiveConnection']);
  });

  it('returns the same stores before the first sign-in and after later ones', async () => {
    const store = openWindow();
    const id = toConnectionId(fleet.key.id);
    const stores = store.lastingStores(id);
    const events: string[] = [];
    stores.onDidSignIn(() => events.push(`in ${store.connection(id)?.label}`));
    stores.onDidSignOut(() => events.push(`out ${store.connection(id)?.label}`));
    await assert.rejects(stores.organizations.list(), {
      kind: 'unauthenticated',
      action: 'signIn',
      message: "You are not signed in to this item's connection. Sign in first.",
    });
    for (let time = 0; time < 2; time += 1) {
      await signIn(store);
      assert.equal(store.stores(id), stores);
      fleet.calls.clear();
      assert.equal((await stores.organizations.list()).length, 1);
      assert.equal(fleet.calls.get('ListOrganizations'), 1);
      await store.signOut(id);
      await assert.rejects(stores.organizations.list(), isUnauthenticated);
    }
    const [signedIn, signedOut] = ['in Test', 'out undefined'];
    assert.deepEqual(events, [signedIn, signedOut, signedIn, signedOut]);
  });

  it('stores the key only in the secret storage', async () => {
    await signIn(openWindow());
    const state = JSON.stringify([...global.values, ...workspace.values]);
    assert.ok(!state.includes(fleet.key.secret));
    assert.ok([...secrets.values.values()].some((value) => value.includes(fleet.key.secret)));
  });

  it('is restored after a reload, without a call', async () => {
    const connection = await signIn(openWindow());
    fleet.calls.clear();
    const reloaded = openWindow();
    assert.deepEqual(reloaded.active, connection);
    assert.equal(fleet.calls.size, 0);
  });

  it('starts another workspace with the last used connection', async () => {
    const connection = await signIn(openWindow());
    assert.deepEqual(openWindow(new MemoryKeyValue()).active, connection);
  });

  it('stays signed out after the user signed out', async () => {
    const store = openWindow();
    const first = await signIn(store);
    const second = await signIn(store, OTHER_KEY_ID);
    await store.signOut(second.id);
    assert.equal(openWindow().active, undefined);
    assert.deepEqual(openWindow().connections, [first]);
  });

  it('supports several connections, one active in each workspace', async () => {
    const [here, there] = [openWindow(), openWindow(new MemoryKeyValue())];
    const first = await signIn(here);
    const second = await signIn(there, OTHER_KEY_ID);
    await new Promise(setImmediate);
    assert.equal(here.connections.length, 2);
    assert.deepEqual(here.active, first);
    assert.deepEqual(there.active, second);
  });

  it('follows a sign-out in another window', async () => {
    const [here, there] = [openWindow(), openWindow(new MemoryKeyValue())];
    const connection = await signIn(here);
    await new Promise(setImmediate);
    assert.deepEqual(there.connections, [connection]);
    await there.signOut(connection.id);
    await new Promise(setImmediate);
    assert.equal(here.active, undefined);
    assert.deepEqual(here.connections, []);
  });

  it('requires a sign-in if the secret storage has lost the key', async () => {
    const store = openWindow();
    const { id } = await signIn(store);
    secrets.values.clear();
    const reloaded = openWindow();
    await assert.rejects(reloaded.stores(id).organizations.list(), isUnauthenticated);
    assert.equal(reloaded.session(id).state.kind, 'failing');
  });

  it('preserves stores and documents when the service moves to another address', async () => {
    const store = openWindow();
    const { id } = await signIn(store);
    const stores = store.stores(id);
    let refreshed = 0;
    stores.organizations.onDidChange(({ all }) => (refreshed += all ? 1 : 0));
    await signIn(store, undefined, 'http://127.0.0.1:2');
    assert.equal(store.stores(id), stores);
    assert.equal(store.active?.baseUrl, 'http://127.0.0.1:2');
    assert.ok(refreshed > 0);
    assert.equal((await stores.organizations.list()).length, 1);
  });

  describe('when the URL of a connection changes', () => {
    const otherUrl = 'http://127.0.0.1:2';
    let store: ConnectionStore;
    let events: string[];

    /** Records the events, with the number of cached lists that are left of the former service. */
    async function record(id: ConnectionId): Promise<void> {
      const stores = store.lastingStores(id);
      await stores.organizations.list();
      fleet.calls.clear();
      const add = (name: string): void => {
        events.push(name);
        if (store.connection(id)) void stores.organizations.list();
      };
      store.onDidMove((moved) => add(`moved ${moved === id}`));
      stores.onDidSignIn(() => add('signed in'));
      stores.onDidSignOut(() => add('signed out'));
    }

    beforeEach(() => {
      store = openWindow();
      events = [];
    });

    it('clears its stores before it reloads everything', async () => {
      const { id } = await signIn(store);
      await record(id);
      await signIn(store, undefined, otherUrl);
      assert.deepEqual(events, ['moved true', 'signed in']);
      await store.stores(id).organizations.list();
      assert.ok((fleet.calls.get('ListOrganizations') ?? 0) > 0);
    });

    it('reloads metadata, which is not cached', async () => {
      const { id } = await signIn(store);
      let changes = 0;
      const source = createConfigSource(store.stores(id), {
        type: 'organizationMetadata',
        id: organizationId(fleet.organizationId),
      });
      source.onDidChange(() => (changes += 1));
      await signIn(store, undefined, otherUrl);
      assert.equal(changes, 1);
    });

    it('also notifies panels if the user was signed out in between', async () => {
      const { id } = await signIn(store);
      await record(id);
      await store.signOut(id);
      await signIn(store, undefined, otherUrl);
      assert.deepEqual(events, ['signed out', 'moved true', 'signed in']);
    });

    it('only reloads the local fleet, whose port can change with each start', async () => {
      const local = { ...credentials(), label: 'Local', kind: 'local' } as const;
      const { id } = await store.signIn(local);
      await record(id);
      await store.signIn({ ...local, baseUrl: otherUrl });
      assert.deepEqual(events, []);
      await store.signOut(id);
      await store.signIn(local);
      assert.deepEqual(events, ['signed out', 'signed in']);
    });
  });

  it('uses a changed key immediately', async () => {
    const store = openWindow();
    const { id } = await signIn(store);
    await store.stores(id).organizations.list();
    await store.signIn({ ...credentials(), key: 'wrong', label: 'Test', kind: 'cloud' });
    await assert.rejects(store.stores(id).organizations.list(), isUnauthenticated);
  });

  it('reports once that a service responds again', async () => {
    let isDown = true;
    const down = new FleetError('unavailable', 'Nothing listens there.');
    const store = openWindow(workspace, () => (isDown ? Promise.reject(down) : Promise.resolve()));
    const { id } = await signIn(store);
    const received: string[] = [];
    store.onDidRecover((recovered) => received.push(recovered));
    const { organizations } = store.stores(id);
    await assert.rejects(organizations.list(), down);
    await assert.rejects(organizations.list(), down);
    assert.deepEqual(received, []);
    isDown = false;
    await organizations.list();
    organizations.refresh();
    await organizations.list();
    assert.deepEqual(received, [id]);
  });

  it('reports that a service responds again after a sign-in with another key', async () => {
    const store = openWindow();
    const wrong = { ...credentials(), key: 'wrong', label: 'Test', kind: 'cloud' } as const;
    const { id } = await store.signIn(wrong);
    const received: string[] = [];
    store.onDidRecover((recovered) => received.push(recovered));
    const { organizations } = store.stores(id);
    await assert.rejects(organizations.list(), isUnauthenticated);
    await signIn(store);
    assert.deepEqual(received, []);
    await organizations.list();
    assert.deepEqual(received, [id]);
  });

  it('ignores stored connections that it cannot parse', () => {
    global.values.set('connection.abc', { label: 1 });
    global.values.set('connection.def', 'text');
    assert.deepEqual(openWindow().connections, []);
  });

  it('verifies credentials without storing anything', async () => {
    const organizations = await verifyCredentials(credentials(), fleet.open);
    assert.equal(connectionLabel(fleet.baseUrl, organizations), 'My Fleet · 127.0.0.1:1');
    const wrong = { ...credentials(), key: 'wrong' };
    await assert.rejects(verifyCredentials(wrong, fleet.open), isUnauthenticated);
    assert.equal(secrets.values.size, 0);
  });
});
