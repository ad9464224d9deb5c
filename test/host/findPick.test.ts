import assert from 'node:assert/strict';
import { organizationId } from '../../src/core/model/ids';
import type { FleetStores } from '../../src/core/stores/fleetStores';
import { FindPick } from '../../src/host/features/find/findPick';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { TestSessions } from '../support/testSessions';
import { DrawnPick } from './support/drawnPick';
import { until } from './support/until';

describe('FindPick in a real extension host', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let drawn: DrawnPick;
  /** Functions that release the loading of a location's machines. */
  let release: { readonly plant: () => void; readonly yard: () => void };

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    drawn = new DrawnPick();
    const organization = organizationId(fleet.organizationId);
    const plant = await stores.locations.create(organization, 'Plant', undefined);
    const yard = await stores.locations.create(organization, 'Yard', undefined);
    await stores.machines.create(plant.id, 'old-arm');
    await stores.machines.create(plant.id, 'arm-stand');
    await stores.machines.create(yard.id, 'arm');
    stores.refresh();
    const gates = new Map([
      [plant.id, Promise.withResolvers<undefined>()],
      [yard.id, Promise.withResolvers<undefined>()],
    ]);
    release = {
      plant: () => gates.get(plant.id)?.resolve(undefined),
      yard: () => gates.get(yard.id)?.resolve(undefined),
    };
    const list = stores.machines.list.bind(stores.machines);
    stores.machines.list = async (location, ...rest) => {
      await gates.get(location)?.promise;
      return list(location, ...rest);
    };
  });

  afterEach(async () => {
    drawn[Symbol.dispose]();
    release.plant();
    release.yard();
    sessions.dispose();
    await fleet.close();
  });

  async function find(): Promise<string> {
    const options = { title: 'Find', placeholder: '', kinds: ['machine'] } as const;
    const target = await new FindPick(sessions.connectionToFleet, stores, options).run();
    return target.name;
  }

  it('uses the best match for an Enter before the first match', async () => {
    const found = find();
    await drawn.type('arm');
    await drawn.pressEnter();
    release.plant();
    await drawn.lists('arm-stand', 'old-arm');
    release.yard();
    assert.equal(await found, 'arm');
  });

  it('ignores an Enter when the query changes', async () => {
    const found = find();
    await drawn.type('arm');
    await drawn.pressEnter();
    await drawn.type('old');
    release.plant();
    release.yard();
    await drawn.lists('old-arm');
    await drawn.pressEnter();
    assert.equal(await found, 'old-arm');
  });

  it('appends better matches so that Enter uses the active row', async () => {
    const found = find();
    await drawn.type('arm');
    release.plant();
    await drawn.lists('arm-stand', 'old-arm');
    await until('the first row is active', () => drawn.active === 'arm-stand');
    release.yard();
    await drawn.lists('arm-stand', 'old-arm', 'arm');
    await drawn.pressEnter();
    assert.equal(await found, 'arm-stand');
  });

  it('stays on the row that the user selected while the list fills', async () => {
    const found = find();
    await drawn.type('arm');
    release.plant();
    await drawn.lists('arm-stand', 'old-arm');
    await until('the first row is active', () => drawn.active === 'arm-stand');
    await drawn.pressDown();
    await until('the second row is active', () => drawn.active === 'old-arm');
    release.yard();
    await drawn.lists('arm-stand', 'old-arm', 'arm');
    await drawn.pressEnter();
    assert.equal(await found, 'old-arm');
  });

  it('uses the best match for an Enter before VS Code renders the matches', async () => {
    const found = find();
    release.plant();
    release.yard();
    await drawn.lists('arm-stand', 'old-arm', 'arm');
    await until('a row is active', () => drawn.active !== undefined);
    await drawn.type('arm');
    await drawn.pressEnter();
    assert.equal(await found, 'arm');
  });
});
