import assert from 'node:assert/strict';
import { organizationId, registryItemId } from '../../src/core/model/ids';
import type { RegistryItem } from '../../src/core/model/registryItem';
import type { RegistryPage } from '../../src/core/stores/registryStore';
import { RegistryPick } from '../../src/host/features/registry/registryPick';
import { DrawnPick } from './support/drawnPick';

function createItem(name: string): RegistryItem {
  return {
    id: registryItemId(`acme:${name}`),
    organizationId: organizationId('acme'),
    name,
    namespace: 'acme',
    type: 'module',
    visibility: 'public',
    status: 'inDevelopment',
    url: '',
    description: '',
    markdown: undefined,
    entrypoint: '',
    versions: [],
    models: [],
    machinesUsing: 0,
    organizationsUsing: 0,
    deprecated: undefined,
    updatedAt: undefined,
  };
}

const [arm, armStand, farm] = [createItem('arm'), createItem('arm-stand'), createItem('farm')];

describe('RegistryPick in a real extension host', () => {
  let drawn: DrawnPick;
  let answered: PromiseWithResolvers<undefined>;

  beforeEach(() => {
    drawn = new DrawnPick();
    answered = Promise.withResolvers();
  });

  afterEach(() => drawn[Symbol.dispose]());

  async function pick(): Promise<string> {
    const search = async ({
      searchText: words,
    }: {
      readonly searchText: string;
    }): Promise<RegistryPage> => {
      if (words !== '') await answered.promise;
      const items = words === '' ? [arm, armStand, farm] : [farm, armStand, arm];
      return { items, next: undefined };
    };
    const store = { search, get: () => assert.fail('No ID was typed.') };
    const item = await new RegistryPick({ store, sleep: () => Promise.resolve() }).run();
    return item.name;
  }

  it('uses the best match for an Enter before the response', async () => {
    const picked = pick();
    await drawn.lists('acme:arm', 'acme:arm-stand', 'acme:farm');
    await drawn.type('arm');
    await drawn.pressEnter();
    answered.resolve(undefined);
    assert.equal(await picked, 'farm');
  });

  it('uses the row that the user selected before the response', async () => {
    const picked = pick();
    await drawn.lists('acme:arm', 'acme:arm-stand', 'acme:farm');
    await drawn.type('arm');
    await drawn.pressDown();
    await drawn.pressDown();
    await drawn.pressEnter();
    assert.equal(await picked, 'arm-stand');
  });

  it('uses the active row after the response is listed', async () => {
    const picked = pick();
    await drawn.lists('acme:arm', 'acme:arm-stand', 'acme:farm');
    await drawn.type('arm');
    answered.resolve(undefined);
    await drawn.lists('acme:farm', 'acme:arm-stand', 'acme:arm');
    await drawn.pressEnter();
    assert.equal(await picked, 'arm');
  });
});
