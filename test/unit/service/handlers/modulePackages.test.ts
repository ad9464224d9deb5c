import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import { PackageType } from '../../../../src/gen/viam/app/packages/v1/packages_pb';
import { Visibility } from '../../../../src/gen/viam/app/v1/registry_pb';
import { withModulePackages } from '../../../../src/service/handlers/machineConfigs';
import { announceBlob } from '../../../../src/service/store/data/blobReferences';
import { openSqliteStore } from '../../../../src/service/store/openStore';
import { insertOrganization } from '../../../../src/service/store/organizations';
import { insertPackageFile, noteVersion } from '../../../../src/service/store/packages';
import { insertRegistryItem } from '../../../../src/service/store/registry';
import type { Store, StoreAccess } from '../../../../src/service/store/store';

const PLATFORM = 'linux/arm64';
const MAX_QUERIES = 5;
const BLOB = { hash: 'a', size: 1 };
const OWNERS = ['acme', 'globex'];

describe('the packages of modules in a config', () => {
  let store: Store;

  beforeEach(async () => {
    store = await openSqliteStore(undefined);
    for (const id of OWNERS) await insertOrganization(store, { id, name: id, createdAt: 1 });
    await announceBlob(store, BLOB);
  });
  afterEach(() => store.destroy());

  async function addModule(organizationId: string, name: string): Promise<void> {
    const id = `${organizationId}-${name}`;
    await insertRegistryItem(store, {
      id,
      organization_id: organizationId,
      name,
      type: PackageType.MODULE,
      visibility: Visibility.PRIVATE,
      status: 1,
      url: '',
      description: '',
      markdown_description: null,
      metadata: '{}',
      billing: null,
      created_at: 1,
      updated_at: 1,
    });
    for (const version of ['1.0.0', '1.1.0']) {
      const metadata = JSON.stringify({ entrypoint: `${name}-${version}` });
      const of = { item_id: id, version };
      await noteVersion(store, { ...of, metadata, markdown_description: null, created_at: 1 });
      await insertPackageFile(store, {
        ...of,
        id: `${id}-${version}`,
        platform: PLATFORM,
        platform_tags: '[]',
        info: '{}',
        blob_hash: BLOB.hash,
        file_size: BLOB.size,
        uploaded_at: 1,
      });
    }
  }

  function counting(): { readonly access: StoreAccess; readonly count: () => number } {
    let queries = 0;
    const access = store.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1;
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    return { access, count: () => queries };
  }

  it('are found in a few queries, regardless of the number of modules', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `m${String(index)}`);
    for (const name of names) await addModule('acme', name);
    const modules = names.map((name) => ({ name, type: 'registry', module_id: `acme:${name}` }));
    const { access, count } = counting();
    const machine = { organizationId: 'acme', platform: PLATFORM };
    const config = await withModulePackages(access, machine, { modules });
    const packages = config.packages as readonly JsonObject[];
    assert.deepEqual(
      packages.map(({ name, version }) => [name, version]),
      names.map((name) => [name, '1.1.0']),
    );
    assert.ok(count() <= MAX_QUERIES, String(count()));
  });

  it('match the owner, the version, and the name in their entry', async () => {
    for (const owner of OWNERS) await addModule(owner, 'sonar');
    await addModule('globex', 'arm');
    const entry = (name: string, id: string, version: string) => ({
      name,
      type: 'registry',
      module_id: id,
      version,
    });
    const modules = [
      entry('a', 'globex:sonar', '1.0.0'),
      entry('b', 'globex:arm', '^1'),
      entry('c', 'globex:sonar', 'latest'),
      entry('d', 'acme:sonar', '1.1.0'),
      entry('e', 'acme:arm', '1.0.0'),
    ];
    const machine = { organizationId: 'globex', platform: PLATFORM };
    const config = await withModulePackages(store, machine, { modules });
    const found = config.modules as readonly JsonObject[];
    assert.deepEqual(
      found.map(({ executable_path: path }) => path),
      [
        '${packages.module.a}/sonar-1.0.0',
        '${packages.module.b}/arm-1.1.0',
        '${packages.module.c}/sonar-1.1.0',
        undefined,
        undefined,
      ],
    );
  });

  it('need no query if no module is from the registry', async () => {
    const { access, count } = counting();
    const modules = [{ name: 'own', type: 'local', executable_path: '/own' }];
    const machine = { organizationId: 'acme', platform: PLATFORM };
    const config = await withModulePackages(access, machine, { modules });
    assert.deepEqual([config.modules, count()], [modules, 0]);
  });
});
