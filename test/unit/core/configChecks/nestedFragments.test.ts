import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/emitter';
import { FleetCatalog } from '../../../../src/core/configChecks/fleetCatalog';
import { loadNestedFragments } from '../../../../src/core/configChecks/nestedFragments';
import type { ConfigValue } from '../../../../src/core/fragments/configValue';
import { resolveConfig } from '../../../../src/core/fragments/resolveConfig';
import { organizationId, type OrganizationId } from '../../../../src/core/model/ids';
import type { FleetStores } from '../../../../src/core/stores/fleetStores';
import { CuttableTransport } from '../../../support/cuttableTransport';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

const OWN_ID = '00000000-0000-4000-8000-000000000001';

describe('loadNestedFragments', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let organization: OrganizationId;
  let catalog: FleetCatalog;
  let wire: CuttableTransport;

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
    catalog = new FleetCatalog(stores, new Emitter<void>().event);
  });

  afterEach(async () => {
    catalog.dispose();
    sessions.dispose();
    await fleet.close();
  });

  const create = async (name: string, config: ConfigValue): Promise<string> =>
    (await stores.fragments.create(organization, name, JSON.stringify(config))).id;

  async function load(config: ConfigValue) {
    const loaded = await loadNestedFragments(catalog, OWN_ID, config);
    assert.ok(loaded);
    return loaded;
  }

  /** Returns the problems as `kind path fragments`. */
  async function findProblems(config: ConfigValue): Promise<string[]> {
    const { lookup } = await load(config);
    const { problems } = resolveConfig(config, lookup, { fragmentId: OWN_ID });
    return problems.map(({ kind, path, fragments }) =>
      [kind, path.join('.'), ...fragments].join(' '),
    );
  }

  it('reads nested fragments of all levels with their contents', async () => {
    const eye = { components: [{ name: 'eye', type: 'camera', model: 'fake' }] };
    const inner = await create('Inner', eye);
    const outer = await create('Outer', { fragments: [{ id: inner, prefix: 'left' }] });
    const config = { fragments: [outer] };
    const { lookup, getName } = await load(config);
    assert.equal(getName(inner), 'Inner');
    const resolved = resolveConfig(config, lookup, { fragmentId: OWN_ID });
    assert.deepEqual(resolved.config, {
      components: [{ name: 'left-eye', type: 'camera', model: 'fake' }],
    });
    assert.deepEqual(resolved.problems, []);
  });

  it('finds a fragment that includes itself, directly or through another one', async () => {
    const outer = await create('Outer', { fragments: [OWN_ID] });
    assert.deepEqual(await findProblems({ fragments: [OWN_ID, outer] }), [
      'cycle fragments.0',
      `cycle fragments.1 ${outer}`,
    ]);
  });

  it('finds unknown fragments, and does not read disabled ones', async () => {
    const absent = '00000000-0000-4000-8000-000000000002';
    const config = { fragments: [absent, { id: absent, disabled: true }] };
    assert.deepEqual(await findProblems(config), ['unknownFragment fragments.0']);
  });

  it('finds fragments that the service rejects because they are nested too deeply', async () => {
    let id = await create('Level 4', {});
    for (const level of [3, 2, 1]) id = await create(`Level ${level}`, { fragments: [id] });
    assert.deepEqual(await findProblems({ fragments: [id] }), []);
    const { id: own } = await stores.fragments.create(organization, 'Level 0', '{}');
    assert.deepEqual(await findProblems({ fragments: [own] }), []);
    const deeper = await create('Level 5', { fragments: [id] });
    const [found] = await findProblems({ fragments: [deeper] });
    assert.match(found ?? '', /^tooDeep fragments\.0 /);
    const rejected = stores.fragments.create(
      organization,
      'Top',
      JSON.stringify({ fragments: [deeper] }),
    );
    await assert.rejects(rejected, /more than 5 levels deep/);
  });

  it('accepts the variables of a fragment, which the parts that use it set', async () => {
    const speed = { $variable: { name: 'speed' } };
    const inner = await create('Inner', { network: { fqdn: speed } });
    const config = { fragments: [{ id: inner, variables: { speed } }], cloud: { id: speed } };
    assert.deepEqual(await findProblems(config), []);
    assert.deepEqual(await findProblems({ fragments: [inner] }), [
      `missingVariable fragments.0 ${inner}`,
    ]);
  });

  it('returns undefined while the service is not reachable', async () => {
    const id = await create('Eyes', {});
    stores.fragments.clear();
    wire.cut();
    assert.equal(await loadNestedFragments(catalog, OWN_ID, { fragments: [id] }), undefined);
    wire.restore();
    catalog.resume();
    assert.ok(await loadNestedFragments(catalog, OWN_ID, { fragments: [id] }));
  });
});
