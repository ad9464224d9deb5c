import assert from 'node:assert/strict';
import { connectionId, registryItemId } from '../../../../../src/core/model/ids';
import {
  isSamePlace,
  LastUploads,
  versionToRepeat,
} from '../../../../../src/host/features/moduleUpload/lastUploads';
import { MemoryKeyValue } from '../../../../support/memoryPorts';

const upload = (manifest: string, version = '1.0.0') => ({
  ...{ manifest, version, connectionId: 'key-1', moduleId: 'acme:wheels', hasArrived: true },
  builds: [{ path: `${manifest}.tar.gz`, platform: 'linux/arm64' as const, writtenAt: 5 }],
});

describe('the last uploads', () => {
  let storage: MemoryKeyValue;
  let uploads: LastUploads;

  beforeEach(() => {
    storage = new MemoryKeyValue();
    uploads = new LastUploads(storage);
  });

  it('are none at first', () => {
    assert.equal(uploads.get(), undefined);
    assert.equal(uploads.get('file:///a/meta.json'), undefined);
  });

  it('are kept for each manifest, and the last of all', async () => {
    await uploads.remember(upload('file:///a/meta.json'));
    await uploads.remember(upload('file:///b/meta.json'));
    await uploads.remember(upload('file:///a/meta.json', '1.0.1'));
    assert.deepEqual(uploads.get('file:///b/meta.json'), upload('file:///b/meta.json'));
    assert.deepEqual(uploads.get(), upload('file:///a/meta.json', '1.0.1'));
  });

  it('are not repeated unasked in another cloud or for another module', () => {
    const last = upload('file:///a/meta.json');
    const place = (connection: string, module: string) => ({
      connectionId: connectionId(connection),
      itemId: registryItemId(module),
    });
    assert.ok(isSamePlace(last, place('key-1', 'acme:wheels')));
    assert.ok(!isSamePlace(last, place('key-2', 'acme:wheels')));
    assert.ok(!isSamePlace(last, place('key-1', 'acme:arms')));
  });

  it('are repeated in the version that was chosen where that did not arrive', () => {
    const there = (version: string, platform: string) => ({
      ...{ version, createdAt: undefined },
      files: [{ platform, uploadedAt: undefined }],
    });
    const versions = [there('1.0.0', 'linux/arm64')];
    const cut = { ...upload('file:///a/meta.json', '2.0.0'), hasArrived: false };
    assert.equal(versionToRepeat(cut, []), '2.0.0');
    assert.equal(versionToRepeat(cut, versions), '2.0.0');
    assert.equal(versionToRepeat({ ...cut, hasArrived: true }, versions), '1.0.1');
    const meanwhile = [...versions, there('2.0.0', 'linux/arm64')];
    assert.equal(versionToRepeat(cut, meanwhile), '2.0.1', 'it is taken');
    assert.equal(versionToRepeat(cut, [there('3.0.0', 'any')]), '3.0.1', 'it is older');
  });

  it('of another version of the product are passed over', async () => {
    await uploads.remember(upload('file:///a/meta.json'));
    for (const key of storage.keys()) {
      if (key.includes('file:')) await storage.update(key, { manifest: 7 });
    }
    assert.equal(uploads.get(), undefined);
  });
});
