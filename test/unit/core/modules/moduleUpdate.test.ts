import assert from 'node:assert/strict';
import { organizationId, type RegistryItemId } from '../../../../src/core/model/ids';
import type { RegistryItem } from '../../../../src/core/model/registryItem';
import type { ModuleManifest } from '../../../../src/core/modules/manifest/moduleManifest';
import { parseManifest } from '../../../../src/core/modules/manifest/parseManifest';
import {
  changesSame,
  createModuleUpdate,
  diffModule,
  type UpdateDeps,
} from '../../../../src/core/modules/moduleUpdate';
import { englishLocalizer } from '../../../../src/base/localizer';
import type { RegistryStore } from '../../../../src/core/stores/registryStore';
import { type MemoryFleet, openMemoryFleet } from '../../../support/memoryFleet';
import { TestSessions } from '../../../support/testSessions';

const FILES: Readonly<Record<string, string>> = {
  'README.md': '# Wheel\n\nRolls.\n\n## Fast\n\nRolls fast.',
};
const updateContext: UpdateDeps = {
  readSibling: (path) => {
    const text = FILES[path];
    return text === undefined ? Promise.reject(new Error(`no ${path}`)) : Promise.resolve(text);
  },
  l10n: englishLocalizer,
};

const FAST = { api: 'rdk:component:base', model: 'acme:wheel:fast' };
const MANIFEST = {
  visibility: 'private',
  url: 'https://example.com/wheel',
  description: 'Wheels',
  markdown_link: 'README.md',
  models: [{ ...FAST, short_description: 'Fast', markdown_link: 'README.md#fast' }],
  entrypoint: 'dist/main',
  first_run: 'setup.sh',
  apps: [{ name: 'panel', type: 'single_machine', entrypoint: 'index.html' }],
};

function parseValidManifest(value: object): ModuleManifest {
  const { manifest } = parseManifest(JSON.stringify(value));
  assert.ok(manifest);
  return manifest;
}

describe('the update of a module from its manifest', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let registry: RegistryStore;
  let id: RegistryItemId;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    ({ registry } = sessions.stores());
    ({ id } = await registry.createModule(organizationId(fleet.organizationId), 'wheel'));
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  async function send(value: object): Promise<RegistryItem> {
    const current = await registry.get(id);
    await registry.updateModule(
      current,
      await createModuleUpdate(parseValidManifest(value), current, updateContext),
    );
    return registry.get(id);
  }

  it('contains the manifest, with linked texts', async () => {
    const item = await send(MANIFEST);
    assert.equal(item.url, MANIFEST.url);
    assert.equal(item.description, 'Wheels');
    assert.equal(item.markdown, FILES['README.md']);
    assert.equal(item.entrypoint, 'dist/main');
    assert.equal(item.firstRun, 'setup.sh');
    const [model] = item.models;
    assert.deepEqual(
      [model?.api, model?.model, model?.description, model?.markdown],
      [FAST.api, FAST.model, 'Fast', '## Fast\n\nRolls fast.'],
    );
    assert.deepEqual(
      item.apps?.map(({ name }) => name),
      ['panel'],
    );
  });

  it('changes nothing the second time', async () => {
    const item = await send(MANIFEST);
    const again = await createModuleUpdate(parseValidManifest(MANIFEST), item, updateContext);
    assert.deepEqual(diffModule(item, again), []);
  });

  it('never makes a public module private, regardless of the manifest', async () => {
    const item = await send(MANIFEST);
    const update = await createModuleUpdate(parseValidManifest(MANIFEST), item, updateContext);
    await registry.updateModule(item, { ...update, visibility: 'public' });
    assert.equal((await send(MANIFEST)).visibility, 'public');
    assert.equal((await send({ ...MANIFEST, visibility: undefined })).visibility, 'public');
  });

  it('preserves fields that the manifest omits or does not support', async () => {
    const before = await send(MANIFEST);
    const update = await createModuleUpdate(parseValidManifest(MANIFEST), before, updateContext);
    const apps = update.apps?.map((app) => ({ ...app, fragmentIds: ['f-1'] }));
    const models = update.models.map((model) => ({ ...model, supportedHardware: ['pi'] }));
    await registry.updateModule(before, { ...update, apps, models });
    const item = await send({
      models: [FAST],
      entrypoint: 'dist/other',
      apps: [{ name: 'panel', type: 'multi_machine', entrypoint: 'all.html' }],
    });
    assert.equal(item.description, 'Wheels');
    assert.equal(item.url, MANIFEST.url);
    assert.equal(item.markdown, FILES['README.md']);
    assert.deepEqual(item.models[0]?.supportedHardware, ['pi']);
    assert.equal(item.models[0].description, 'Fast');
    assert.deepEqual(item.apps?.[0]?.fragmentIds, ['f-1']);
    assert.equal(item.apps[0].type, 'multi_machine');
    assert.equal(item.firstRun ?? '', '');
  });

  it('is rejected without an entrypoint, and with a link to a missing heading', async () => {
    const current = await registry.get(id);
    const update = (value: object): Promise<unknown> =>
      createModuleUpdate(parseValidManifest({ ...MANIFEST, ...value }), current, updateContext);
    await assert.rejects(update({ entrypoint: ' ' }), /has no entrypoint/);
    await assert.rejects(
      update({ markdown_link: 'README.md#slow' }),
      /heading "slow", but README\.md doesn't contain it/,
    );
    await assert.rejects(update({ markdown_link: 'OTHER.md' }), /no OTHER\.md/);
  });

  it('does not fetch URLs', async () => {
    const item = await send({ ...MANIFEST, markdown_link: 'https://example.com/README.md' });
    assert.equal(item.markdown ?? '', '');
  });

  it('is detected as different if another user changed the module in the meantime', async () => {
    const shown = await send(MANIFEST);
    const update = await createModuleUpdate(
      parseValidManifest({ ...MANIFEST, description: 'Rolls' }),
      shown,
      updateContext,
    );
    assert.ok(changesSame(shown, await registry.get(id, { fresh: true }), update));
    await registry.updateModule(shown, { ...update, description: 'Mine', visibility: 'public' });
    const now = await registry.get(id, { fresh: true });
    assert.ok(!changesSame(shown, now, update));
  });

  it('lists its changes field by field', async () => {
    const item = await send(MANIFEST);
    const update = await createModuleUpdate(
      parseValidManifest({
        ...MANIFEST,
        description: 'Rolls',
        models: [
          { ...FAST, short_description: 'Faster' },
          { ...FAST, model: 'acme:wheel:slow' },
        ],
        apps: [],
      }),
      item,
      updateContext,
    );
    assert.deepEqual(diffModule(item, { ...update, visibility: 'public' }), [
      { field: 'visibility', before: 'private', after: 'public' },
      { field: 'description', before: 'Wheels', after: 'Rolls' },
      {
        field: 'models',
        added: ['acme:wheel:slow (rdk:component:base)'],
        removed: [],
        changed: ['acme:wheel:fast (rdk:component:base)'],
      },
      { field: 'apps', added: [], removed: ['panel'], changed: [] },
    ]);
  });
});
