import assert from 'node:assert/strict';
import {
  connectionId,
  datasetId,
  locationId,
  machineId,
  organizationId,
  partId,
} from '../../../../../src/core/model/ids';
import {
  dataLink,
  describedPanel,
  describePanel,
  isSameTarget,
  linkedView,
  storedTarget,
  viewThrough,
} from '../../../../../src/host/features/data/panelDescription';
import type { BrowsableTarget } from '../../../../../src/manifest/commandArguments';
import { everyData } from '../../../../../src/shared/data/dataFilter';

const connection = connectionId('key-1');
const common = { connectionId: connection, organizationId: organizationId('org-1'), name: 'Same' };
const inside = { ...common, locationId: locationId('loc-1') };
const within = { ...inside, machineId: machineId('machine-1') };
const targets: readonly BrowsableTarget[] = [
  { ...common, kind: 'organization' },
  { ...inside, kind: 'location' },
  { ...within, kind: 'machine' },
  { ...within, kind: 'part', machineName: 'rover', partId: partId('part-1') },
  { ...common, kind: 'dataset', datasetId: datasetId('set-1') },
];
const owner = organizationId('org-2');

describe('the target of a data panel', () => {
  it('is restored after a window reload', () => {
    for (const target of targets) {
      assert.deepEqual(describedPanel(describePanel({ target, owner })), { target, owner });
    }
  });

  it('is compared by its ID, not by its name', () => {
    for (const one of targets) {
      assert.deepEqual(
        targets.filter((other) => isSameTarget(one, other)),
        [one],
      );
      assert.ok(isSameTarget(one, { ...one, name: 'Renamed' }));
    }
    const twin = { ...inside, kind: 'location', locationId: locationId('loc-2') } as const;
    assert.ok(!targets.some((one) => isSameTarget(one, twin)));
  });

  for (const text of [
    '',
    'null',
    '{"connection":"key-1"}',
    '{"connection":"key-1","owner":"o","target":{"kind":"fragment","organization":"o","name":""}}',
    '{"connection":"key-1","owner":"o","target":{"kind":"part","organization":"o","name":""}}',
  ]) {
    it(`is undefined for invalid text: ${text}`, () => {
      assert.equal(describedPanel(text), undefined);
    });
  }
});

describe('a link to captured data', () => {
  const service = 'https://fleet.test';
  const filter = { ...everyData, organizations: ['org-1'], tags: ['ä & <b>'], tagsMode: 'anyOf' };
  const mine = { id: connection, label: 'Mine', baseUrl: service, keyId: 'k', kind: 'cloud' };

  it('opens the same view with the key of another user', () => {
    for (const target of targets) {
      const view = { target, filter: filter as never, tab: 'files' as const };
      const link = new URL(dataLink('vscode', { ...view, service }) ?? '');
      assert.equal(link.host, 'fleetwright.fleetwright');
      assert.ok(!link.href.includes('key-1'));
      const linked = linkedView(link.pathname, link.search.slice(1));
      assert.ok(linked);
      const other = { ...mine, id: connectionId('key-2'), baseUrl: 'https://other.test' };
      assert.deepEqual(viewThrough(linked, [undefined, other as never, mine as never]), view);
      assert.equal(viewThrough(linked, [other as never]), undefined);
    }
  });

  it('is not created if it is too long', () => {
    const long = { ...filter, tags: Array.from({ length: 40 }, () => 'x'.repeat(1_000)) };
    const [target] = targets;
    assert.ok(target);
    const view = { target, filter: long as never, tab: 'files' as const, service };
    assert.equal(dataLink('vscode', view), undefined);
  });

  for (const interval of [
    { kind: 'between', start: 1e300 },
    { kind: 'between', end: -1e15 },
    { kind: 'last', minutes: 1e300 },
    { kind: 'last', minutes: -5 },
  ]) {
    it(`is rejected if its time range is invalid: ${JSON.stringify(interval)}`, () => {
      const [target] = targets;
      assert.ok(target);
      const requestedFilter = { ...filter, interval };
      const view = { service, tab: 'files', filter: requestedFilter, target: storedTarget(target) };
      const text = Buffer.from(JSON.stringify(view)).toString('base64url');
      assert.equal(linkedView('/data', `view=${text}`), undefined);
    });
  }

  for (const [path, query] of [
    ['/data', ''],
    ['/data', 'view=%%%'],
    ['/data', `view=${Buffer.from('{"service":1}').toString('base64url')}`],
    ['/data', `view=${'A'.repeat(40_000)}`],
    ['/other', 'view=e30'],
  ] as const) {
    it(`is rejected if it is something else: ${path} ${query.slice(0, 30)}`, () => {
      assert.equal(linkedView(path, query), undefined);
    });
  }
});
