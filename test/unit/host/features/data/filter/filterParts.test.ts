import assert from 'node:assert/strict';
import { CaptureBrowse } from '../../../../../../src/core/data/captureBrowse';
import { everyCapture } from '../../../../../../src/core/model/captureFilter';
import { locationId, machineId, organizationId } from '../../../../../../src/core/model/ids';
import {
  FilterCompletions,
  narrowedTo,
} from '../../../../../../src/host/features/data/filter/filterQuery';
import { filterFor, getOwner } from '../../../../../../src/host/features/data/panelDescription';
import { filterNames } from '../../../../../../src/host/features/data/filter/filterNames';
import { everyData } from '../../../../../../src/shared/data/dataFilter';
import { type CapturesFleet, openCapturesFleet } from '../../../../core/data/capturesFleet';

describe('the parts of a data filter', () => {
  let fleet: CapturesFleet;

  beforeEach(async () => {
    fleet = await openCapturesFleet();
  });

  afterEach(() => fleet.close());

  it('suggest existing tags, those with the text at the start first, read once', async () => {
    const tags = ['rust', 'dust', 'Usta', ...Array.from({ length: 60 }, (_, n) => `many-${n}`)];
    await fleet.capture([{ extension: '.jpg', tags }]);
    const { stores } = fleet;
    const browse = new CaptureBrowse(stores, {
      ...everyCapture,
      tags: { kind: 'anyOf', tags: ['rust'] },
    });
    const completions = new FilterCompletions();
    fleet.fleet.calls.clear();
    const found = await completions.complete({ browse, stores }, 'tags', 'ust');
    assert.deepEqual(found, { values: ['Usta', 'dust', 'rust'], more: false });
    const many = await completions.complete({ browse, stores }, 'tags', '');
    assert.deepEqual([many.values.length, many.more], [50, true]);
    assert.equal(fleet.fleet.calls.get('TagsByFilter'), 1);
    const labels = await completions.complete({ browse, stores }, 'labels', '');
    assert.deepEqual(labels, { values: [], more: false });
  });

  it('continue to suggest when another filter is applied in the meantime', async () => {
    await fleet.capture([{ extension: '.jpg', tags: ['rust'] }]);
    const { stores } = fleet;
    const browse = new CaptureBrowse(stores, everyCapture);
    const pending = new FilterCompletions().complete({ browse, stores }, 'tags', '');
    browse.dispose();
    assert.deepEqual((await pending).values, ['rust']);
  });

  it('include the names and paths of referenced resources', async () => {
    const { stores, organization, part } = fleet;
    const { machineId: machine } = await stores.parts.get(part);
    const [hall] = await stores.locations.list(organization);
    const dataset = await stores.datasets.create(organization, 'Bolts');
    const acme = (await stores.organizations.get(organization)).name;
    const names = await filterNames(stores, {
      ...everyData,
      organizations: [organization],
      locations: [hall?.id ?? '', 'gone'],
      machine,
      part,
      dataset,
    });
    assert.deepEqual(names, {
      [organization]: { name: acme, path: acme },
      [hall?.id ?? '']: { name: 'Hall', path: 'Hall' },
      [machine]: { name: 'arm-1', path: 'Hall › arm-1' },
      [part]: { name: 'arm-1-main', path: 'Hall › arm-1 › arm-1-main' },
      [dataset]: { name: 'Bolts', path: `${acme} › Bolts` },
    });
  });

  it('select the data of a resource, as data of its owner', async () => {
    const { sessions, stores, organization } = fleet;
    const [hall] = await stores.locations.list(organization);
    const target = {
      kind: 'location' as const,
      connectionId: sessions.connectionToFleet.id,
      name: 'Hall',
      organizationId: organization,
      locationId: hall?.id ?? locationId(''),
    } as const;
    const owner = await getOwner(stores, target);
    assert.deepEqual(filterFor(target, owner), {
      ...everyData,
      organizations: [organization],
      locations: [hall?.id],
    });
  });

  it('can be narrowed to another resource', () => {
    const { connectionToFleet } = fleet.sessions;
    const location = {
      connectionId: connectionToFleet.id,
      organizationId: organizationId('guest'),
      name: '',
      locationId: locationId('loc-2'),
    };
    const owner = organizationId('org-2');
    const filter = { ...everyData, organizations: ['org-1'], locations: ['loc-1'], part: 'p' };
    const wider = narrowedTo(filter, { ...location, kind: 'location' }, owner);
    assert.deepEqual(wider.organizations, ['org-1', 'org-2']);
    assert.deepEqual(wider.locations, ['loc-1', 'loc-2']);
    const machine = { ...location, kind: 'machine', machineId: machineId('m') } as const;
    const { machine: id, part } = narrowedTo(filter, machine, owner);
    assert.deepEqual([id, part], ['m', '']);
  });
});
