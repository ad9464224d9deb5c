import assert from 'node:assert/strict';
import { FleetError } from '../../../../../src/core/api/errors';
import { organizationId } from '../../../../../src/core/model/ids';
import type { FleetStores } from '../../../../../src/core/stores/fleetStores';
import { type FindEntry, FindIndex } from '../../../../../src/host/features/find/findIndex';
import {
  type CrawlProgress,
  FleetCrawler,
} from '../../../../../src/host/features/find/fleetCrawler';
import { isIdLike, findById } from '../../../../../src/host/features/find/idLookup';
import { keyWithRoles } from '../../../../support/keyWithRoles';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { TestSessions } from '../../../../support/testSessions';

describe('searching a fleet', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let index: FindIndex;
  let progress: CrawlProgress;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    index = new FindIndex();
    const organization = organizationId(fleet.organizationId);
    const plant = await stores.locations.create(organization, 'Plant', undefined);
    const hall = await stores.locations.create(organization, 'Hall', plant.id);
    await stores.machines.create(plant.id, 'arm');
    await stores.machines.create(hall.id, 'rover');
    await stores.fragments.create(organization, 'base');
    await stores.datasets.create(organization, 'pallets');
    stores.refresh();
    fleet.calls.clear();
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  function crawler(
    signal = new AbortController().signal,
    onFound: (entries: readonly FindEntry[]) => void = () => undefined,
  ): FleetCrawler {
    const { id } = sessions.connectionToFleet;
    const listener = {
      found: (entries: readonly FindEntry[]) => {
        index.add(entries);
        onFound(entries);
      },
      progress: (now: CrawlProgress) => (progress = now),
    };
    return new FleetCrawler(id, stores, listener, signal);
  }

  function findPaths(query: string): readonly string[] {
    return index
      .search(query, 10)
      .entries.map(({ target, path }) => [...path, target.name].join(' › '));
  }

  it('finds all resources with their parents', async () => {
    const crawl = crawler();
    await crawl.crawlMachines();
    assert.deepEqual(findPaths('rover'), ['My Fleet › Plant › Hall › rover']);
    assert.deepEqual(findPaths('hall'), ['My Fleet › Plant › Hall']);
    assert.deepEqual(findPaths('base'), ['My Fleet › base']);
    assert.deepEqual(findPaths('pallets'), ['My Fleet › pallets']);
    await crawl.crawlParts();
    assert.deepEqual(findPaths('rover-main'), ['My Fleet › Plant › Hall › rover › rover-main']);
    assert.equal(index.size, 9);
    assert.equal(progress.done, progress.known);
  });

  it('finds what one organization shares with another under its owner', async () => {
    const partner = await stores.organizations.create('Partner');
    const locations = await stores.locations.list(organizationId(fleet.organizationId));
    const hall = locations.find(({ name }) => name === 'Hall');
    assert.ok(hall);
    await stores.locations.share(hall, partner.id);
    await crawler().crawlMachines();
    assert.deepEqual(findPaths('Partner'), ['Partner']);
    assert.deepEqual(findPaths('rover'), ['My Fleet › Plant › Hall › rover']);
  });

  it('finds the machines of a key that cannot list datasets', async () => {
    const plant = (await stores.locations.list(organizationId(fleet.organizationId))).find(
      ({ name }) => name === 'Plant',
    );
    const key = await keyWithRoles(fleet, ['operator', 'location', plant?.id ?? assert.fail()]);
    const limited = new TestSessions(key);
    stores = limited.stores();
    await crawler().crawlMachines();
    limited.dispose();
    assert.deepEqual(findPaths('pallets'), []);
    assert.deepEqual(findPaths('rover'), ['My Fleet › Plant › Hall › rover']);
    assert.equal(progress.failed, 0);
  });

  it('makes no call twice', async () => {
    for (let time = 0; time < 2; time += 1) {
      const crawl = crawler();
      await crawl.crawlMachines();
      await crawl.crawlParts();
    }
    assert.equal(fleet.calls.get('ListOrganizations'), 1);
    assert.equal(fleet.calls.get('ListRobots'), 2);
    assert.equal(fleet.calls.get('GetRobotParts'), 2);
  });

  describe('with many machines', () => {
    beforeEach(async () => {
      const [location] = await stores.locations.list(organizationId(fleet.organizationId));
      assert.ok(location);
      for (let index = 0; index < 10; index += 1) {
        await stores.machines.create(location.id, `truck-${index}`);
      }
      stores.refresh();
      fleet.calls.clear();
    });

    async function crawlAll(): Promise<void> {
      const crawl = crawler();
      await crawl.crawlMachines();
      await crawl.crawlParts();
    }

    it('finds parts with one call, which is not repeated', async () => {
      for (let time = 0; time < 2; time += 1) {
        await crawlAll();
        assert.match(findPaths('truck-7-main').join(), / › truck-7 › truck-7-main$/);
        assert.equal(fleet.calls.get('ListMachineSummaries'), 1);
        assert.equal(fleet.calls.get('GetRobotParts'), undefined);
        assert.equal(progress.done, progress.known);
        assert.equal(progress.failed, 0);
        index.clear();
      }
    });

    it('finds parts of a service without summaries machine by machine', async () => {
      fleet.unsupported.add('ListMachineSummaries');
      const found: number[] = [];
      const crawl = crawler(undefined, (entries) => found.push(entries.length));
      await crawl.crawlMachines();
      found.length = 0;
      await crawl.crawlParts();
      assert.deepEqual(
        found,
        Array.from({ length: 12 }, () => 1),
      );
      assert.match(findPaths('truck-7-main').join(), / › truck-7 › truck-7-main$/);
      assert.equal(fleet.calls.get('GetRobotParts'), 12);
      assert.equal(progress.failed, 0);
      await crawlAll();
      assert.equal(fleet.calls.get('ListMachineSummaries'), 1);
      assert.equal(fleet.calls.get('GetRobotParts'), 12);
    });

    it('stops reading parts when the caller cancels', async () => {
      fleet.unsupported.add('ListMachineSummaries');
      const controller = new AbortController();
      const crawl = crawler(controller.signal, (entries) => {
        if (entries[0]?.target.kind === 'part') controller.abort();
      });
      await crawl.crawlMachines();
      await assert.rejects(crawl.crawlParts());
      assert.ok((fleet.calls.get('GetRobotParts') ?? 0) < 12);
    });
  });

  it('skips a list that cannot be read, and counts it', async () => {
    stores.machines.list = () => Promise.reject(new FleetError('permission', 'no'));
    await crawler().crawlMachines();
    assert.equal(progress.failed, 2);
    assert.deepEqual(findPaths('hall'), ['My Fleet › Plant › Hall']);
  });

  it('stops when it is canceled', async () => {
    const controller = new AbortController();
    controller.abort();
    await assert.rejects(crawler(controller.signal).crawlMachines());
  });

  it('finds a part by its ID without reading the fleet', async () => {
    const organization = organizationId(fleet.organizationId);
    const [plant] = await stores.locations.list(organization);
    assert.ok(plant);
    const location =
      plant.name === 'Plant' ? plant : (await stores.locations.list(organization))[1];
    assert.ok(location);
    const [machine] = await stores.machines.list(location.id);
    assert.ok(machine);
    const [part] = await stores.parts.list(machine.id);
    assert.ok(part);
    stores.refresh();
    fleet.calls.clear();
    const { id } = sessions.connectionToFleet;
    const signal = new AbortController().signal;
    const [found, ...others] = await findById(part.id, id, stores, signal);
    assert.equal(others.length, 0);
    assert.equal(found?.target.kind, 'part');
    assert.deepEqual(found.path, ['My Fleet', 'Plant', 'arm']);
    assert.equal(fleet.calls.get('GetRobotParts'), undefined);
    assert.equal(isIdLike(part.id), true);
    assert.equal(isIdLike('palletizer'), false);
  });
  it('finds a dataset by its ID', async () => {
    const [dataset] = await stores.datasets.list(organizationId(fleet.organizationId));
    const { id } = sessions.connectionToFleet;
    const { signal } = new AbortController();
    const [found] = await findById(dataset?.id ?? assert.fail(), id, stores, signal);
    assert.equal(found?.target.kind, 'dataset');
    assert.deepEqual(found.path, ['My Fleet']);
  });
});
