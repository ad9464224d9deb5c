import assert from 'node:assert/strict';
import { FleetError } from '../../../../../src/core/api/errors';
import { organizationId } from '../../../../../src/core/model/ids';
import type { RegistryStore } from '../../../../../src/core/stores/registryStore';
import { RegistryListing } from '../../../../../src/host/features/registry/registryListing';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { TestSessions } from '../../../../support/testSessions';

const ITEMS = 120;
const unfiltered = { searchText: '', types: [] } as const;

describe('a search of the registry', function () {
  this.timeout(120_000);
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let registry: RegistryStore;
  let listing: RegistryListing;

  before(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    ({ registry } = sessions.stores());
    const organization = organizationId(fleet.organizationId);
    const name = (number: number): string => `arm-${String(number).padStart(3, '0')}`;
    for (let number = 0; number < ITEMS; number += 1) {
      await registry.createModule(organization, name(number));
    }
    await registry.createItem(organization, 'script', 'trainingScript');
  });

  after(async () => {
    sessions.dispose();
    await fleet.close();
  });

  beforeEach(() => {
    listing = new RegistryListing(registry);
  });

  afterEach(() => listing.dispose());

  const names = (): readonly string[] => listing.items.map(({ name }) => name);

  /** Returns the registry with a maximum page size, which services with many items have. */
  const paged = (size: number): Pick<RegistryStore, 'search' | 'get'> => ({
    get: (id, options) => registry.get(id, options),
    search: async (query, signal) => {
      const items = (await registry.search(query, signal)).items.slice(0, size);
      return { items, next: items.at(-1)?.id };
    },
  });

  it('shows a limited number of items, and more on request', async () => {
    await listing.startSearch(unfiltered);
    assert.equal(names().length, 50);
    assert.equal(listing.hasMore, true);
    await listing.more(unfiltered);
    assert.equal(names().length, 100);
    await listing.more(unfiltered);
    assert.equal(names().length, ITEMS + 1);
    assert.equal(listing.hasMore, false);
    assert.equal(listing.isReading, false);
  });

  for (const size of [1, 7, 50, 60]) {
    it(`reads all pages from a service with pages of ${String(size)}`, async () => {
      listing.dispose();
      listing = new RegistryListing(paged(size));
      await listing.startSearch(unfiltered);
      while (listing.hasMore) await listing.more(unfiltered);
      assert.equal(new Set(names()).size, ITEMS + 1);
      assert.equal(names().length, ITEMS + 1);
    });
  }

  it('matches words and types', async () => {
    await listing.startSearch({ searchText: 'arm-00', types: ['module'] });
    assert.equal(names().length, 10);
    assert.equal(listing.hasMore, false);
    await listing.startSearch({ searchText: '', types: ['trainingScript'] });
    assert.deepEqual(names(), ['script']);
    await listing.startSearch({ searchText: 'no such thing', types: [] });
    assert.deepEqual(names(), []);
  });

  it('finds an item by its whole ID, once', async () => {
    const { items } = await registry.search({ searchText: 'arm-007' });
    const id = items[0]?.id ?? '';
    await listing.startSearch({ searchText: ` ${id} `, types: [] });
    assert.deepEqual(names(), ['arm-007']);
    await listing.startSearch({ searchText: id, types: ['mlModel'] });
    assert.deepEqual(names(), []);
    await listing.startSearch({ searchText: 'acme:nothing', types: [] });
    assert.deepEqual(names(), []);
  });

  it('returns the result of the last request, regardless of the order of responses', async () => {
    const first = Promise.withResolvers<unknown>();
    listing.dispose();
    listing = new RegistryListing({
      get: (id, options) => registry.get(id, options),
      search: async (query, signal) => {
        const page = await registry.search(query);
        if (query.searchText === 'slow') await first.promise;
        signal?.throwIfAborted();
        return page;
      },
    });
    const slow = listing.startSearch({ searchText: 'slow', types: [] });
    await listing.startSearch({ searchText: 'script', types: [] });
    first.resolve(undefined);
    await slow;
    assert.deepEqual(names(), ['script']);
    assert.equal(listing.isReading, false);
  });

  it('throws errors of the service, and can be repeated', async () => {
    let fails = true;
    listing.dispose();
    listing = new RegistryListing({
      get: (id, options) => registry.get(id, options),
      search: (query, signal) =>
        fails
          ? Promise.reject(new FleetError('unavailable', 'Cannot reach it.'))
          : registry.search(query, signal),
    });
    await assert.rejects(listing.startSearch(unfiltered), { kind: 'unavailable' });
    assert.equal(listing.isReading, false);
    fails = false;
    await listing.startSearch(unfiltered);
    assert.equal(names().length, 50);
  });
});
