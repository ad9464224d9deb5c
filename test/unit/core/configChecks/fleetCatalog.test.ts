import assert from 'node:assert/strict';
import { Code } from '@connectrpc/connect';
import { Emitter } from '../../../../src/base/emitter';
import { FleetCatalog } from '../../../../src/core/configChecks/fleetCatalog';
import type { DocumentSubject } from '../../../../src/core/documents/documentAddress';
import { organizationId, type OrganizationId, type PartId } from '../../../../src/core/model/ids';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { CuttableTransport } from '../../../support/cuttableTransport';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { createPublicModule, withRegistryPages } from '../../../support/pagedRegistry';
import { TestClock } from '../../../support/testClock';
import { TestSessions } from '../../../support/testSessions';

describe('FleetCatalog', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let organization: OrganizationId;
  let catalog: FleetCatalog;
  let recovered: Emitter<void>;
  let wire: CuttableTransport;
  let clock: TestClock;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions({
      ...fleet,
      open: (connection, readKey) => {
        const opened = fleet.open(connection, readKey);
        wire = new CuttableTransport(opened.transport);
        return { ...opened, transport: wire };
      },
    });
    stores = sessions.stores();
    organization = organizationId(fleet.organizationId);
    recovered = new Emitter();
    clock = new TestClock();
    catalog = new FleetCatalog(stores, recovered.event, clock);
  });

  afterEach(async () => {
    catalog.dispose();
    sessions.dispose();
    await fleet.close();
  });

  /** Returns the number of calls so far. */
  const countCalls = (): number => [...fleet.calls.values()].reduce((sum, count) => sum + count, 0);

  it('reads each resource once until it changes, including missing ones', async () => {
    const { id } = await stores.fragments.create(organization, 'Eyes');
    assert.equal((await catalog.fragments(organization))?.value?.length, 1);
    assert.deepEqual(await catalog.module('acme:none'), { value: undefined });
    const before = countCalls();
    await Promise.all([catalog.fragments(organization), catalog.module('acme:none')]);
    assert.equal(countCalls(), before);
    let changes = 0;
    catalog.onDidChange(() => (changes += 1));
    await stores.fragments.rename(id, 'Ears');
    assert.equal(changes > 0, true);
    const list = await catalog.fragments(organization);
    assert.deepEqual(
      list?.value?.map(({ name }) => name),
      ['Ears'],
    );
  });

  it('finds the organization of a part, and its own modules', async () => {
    const plant = await stores.locations.create(organization, 'Plant', undefined);
    const machine = await stores.machines.create(plant.id, 'rover');
    const id: PartId = await stores.parts.create(machine, 'second');
    const { id: module } = await stores.registry.createModule(organization, 'arms');
    const found = await catalog.organization({ type: 'partConfig', id });
    assert.equal(found, organization);
    assert.deepEqual(
      (await catalog.modules(organization)).items.map((item) => item.id),
      [module],
    );
  });

  describe('with more public modules than the registry lists', () => {
    let paged: TestSessions;

    beforeEach(async () => {
      const { id } = await stores.organizations.create('Other');
      await stores.organizations.update(id, { publicNamespace: 'acme' });
      for (const name of ['arms', 'bases', 'cams', 'drives', 'eyes']) {
        await createPublicModule(stores, id, name);
      }
      await stores.registry.createModule(organization, 'own');
      paged = new TestSessions(withRegistryPages(fleet, 2));
      catalog.dispose();
      catalog = new FleetCatalog(paged.stores(), recovered.event, clock);
    });

    afterEach(() => paged.dispose());

    it('lists two pages, and searches for the others', async () => {
      const { items, isComplete } = await catalog.modules(organization);
      const listed = ['acme:arms', 'acme:bases', 'acme:cams', 'acme:drives'];
      assert.deepEqual(
        items.map(({ id }) => id),
        [`${organization}:own`, ...listed],
      );
      assert.equal(isComplete, false);
      const found = await catalog.searchModules('acme:ey');
      assert.deepEqual(
        found.map(({ id }) => id),
        ['acme:eyes'],
      );
    });

    it('caches the results for recent texts until the registry changes', async () => {
      await catalog.searchModules('eyes');
      fleet.calls.clear();
      for (const text of ['eyes', ' eyes ']) {
        assert.equal(catalog.hasSearchedModules(text), true);
        assert.equal((await catalog.searchModules(text)).length, 1);
      }
      assert.equal(countCalls(), 0);
      await paged.stores().registry.createModule(organization, 'new');
      assert.equal(catalog.hasSearchedModules('eyes'), false);
      await catalog.searchModules('eyes');
      // The twenty most recent texts are cached. Repeating a text makes it the most recent one.
      for (let index = 0; index < 19; index += 1) await catalog.searchModules(`text ${index}`);
      await catalog.searchModules('eyes');
      await catalog.searchModules('another text');
      const cached = ['eyes', 'text 0', 'text 1', 'another text'];
      assert.deepEqual(
        cached.map((text) => catalog.hasSearchedModules(text)),
        [true, false, true, true],
      );
    });
  });

  it('does not request lists or search for modules with similar IDs', async () => {
    await catalog.modules(organization);
    await catalog.searchModules('arms');
    await catalog.providersOf('acme:b:arm');
    for (const id of ['public', 'search:arms', 'model:acme:b:arm', `list:${organization}`]) {
      assert.deepEqual(await catalog.module(id), { value: undefined });
    }
  });

  it('detects when a registry lists all of its public modules', async () => {
    const { id } = await stores.organizations.create('Other');
    assert.equal((await catalog.modules(organization)).isComplete, true);
    await stores.registry.createModule(organization, 'own');
    await createPublicModule(stores, id, 'arms');
    const { items, isComplete } = await catalog.modules(organization);
    assert.deepEqual([items.length, isComplete], [2, true]);
  });

  it('pauses without a connection, and reads again when the service responds', async () => {
    const { id } = await stores.fragments.create(organization, 'Eyes');
    stores.fragments.clear();
    wire.cut();
    assert.equal(await catalog.fragment(id), undefined);
    assert.equal(catalog.pause, 'unreachable');
    wire.restore();
    const before = countCalls();
    assert.equal(await catalog.fragment(id), undefined);
    assert.equal(await catalog.module('acme:arms'), undefined);
    assert.equal(countCalls(), before);
    recovered.fire();
    assert.equal(catalog.pause, undefined);
    assert.equal((await catalog.fragment(id))?.value?.name, 'Eyes');
  });

  it('reads again after the user has signed in', async () => {
    const { id } = await stores.fragments.create(organization, 'Eyes');
    let changes = 0;
    catalog.onDidChangePause(() => (changes += 1));
    sessions.signOut();
    assert.equal(await catalog.fragment(id), undefined);
    assert.deepEqual([catalog.pause, changes], ['signedOut', 1]);
    sessions.signIn();
    assert.deepEqual([catalog.pause, changes], [undefined, 2]);
    assert.equal((await catalog.fragment(id))?.value?.name, 'Eyes');
  });

  it('finds changes of fragments by other users with one call, at most once a minute', async () => {
    const { id } = await stores.fragments.create(organization, 'Eyes');
    const subject = { type: 'fragmentConfig', id } as const;
    const readName = async () => (await catalog.summary(organization, id))?.name;
    await catalog.organization(subject);
    assert.equal(await readName(), 'Eyes');
    const elsewhere = new TestSessions(fleet);
    await elsewhere.stores().fragments.rename(id, 'Ears');
    elsewhere.dispose();
    fleet.calls.clear();
    await catalog.refreshFragments(subject);
    assert.equal(countCalls(), 0);
    clock.advance(60_000);
    let changes = 0;
    catalog.onDidChange(() => (changes += 1));
    await Promise.all([catalog.refreshFragments(subject), catalog.refreshFragments(subject)]);
    assert.deepEqual([countCalls(), changes, await readName()], [1, 1, 'Ears']);
    clock.advance(60_000);
    await catalog.refreshFragments(subject);
    assert.deepEqual([countCalls(), changes], [2, 1]);
  });

  describe('repeats a failed read', () => {
    const subject = (): DocumentSubject => ({ type: 'partConfig', id: part });
    let part: PartId;

    beforeEach(async () => {
      const plant = await stores.locations.create(organization, 'Plant', undefined);
      const machine = await stores.machines.create(plant.id, 'rover');
      part = await stores.parts.create(machine, 'second');
    });

    /** Lets the read of the organization fail. */
    async function failOnce(code: Code): Promise<void> {
      stores.parts.clear();
      wire.cut(code);
      assert.equal(await catalog.organization(subject()), undefined);
      wire.restore();
    }

    for (const code of [Code.Internal, Code.PermissionDenied]) {
      it(`with ${Code[code]} after a while, but not for each edit`, async () => {
        await failOnce(code);
        const before = countCalls();
        assert.equal(await catalog.organization(subject()), undefined);
        assert.equal(countCalls(), before);
        clock.advance(60_000);
        assert.equal(await catalog.organization(subject()), organization);
      });

      it(`with ${Code[code]} when the service responds again or after Refresh`, async () => {
        for (const recover of [() => recovered.fire(), () => stores.refresh()]) {
          await failOnce(code);
          let changes = 0;
          const subscription = catalog.onDidChange(() => (changes += 1));
          recover();
          subscription.dispose();
          assert.ok(changes > 0);
          assert.equal(await catalog.organization(subject()), organization);
          stores.refresh();
        }
      });
    }
  });
});
