import assert from 'node:assert/strict';
import { connectionId, registryItemId } from '../../../../../../src/core/model/ids';
import {
  isSameTarget,
  joinsOthers,
  LastUploads,
  listPreviouslyUploaded,
  planRepetition,
  repetitionElsewhere,
} from '../../../../../../src/host/features/modules/upload/lastUploads';
import { MemoryKeyValue } from '../../../../../support/memoryPorts';

const upload = (manifest: string, version = '1.0.0') => ({
  manifest,
  version,
  connectionId: 'key-1',
  moduleId: 'acme:wheels',
  hasArrived: true,
  builds: [{ path: `${manifest}.tar.gz`, platform: 'linux/arm64' as const, writtenAt: 5 }],
});

describe('the last uploads', () => {
  let storage: MemoryKeyValue;
  let uploads: LastUploads;

  beforeEach(() => {
    storage = new MemoryKeyValue();
    uploads = new LastUploads(storage);
  });

  it('are empty at first', () => {
    assert.equal(uploads.get(), undefined);
    assert.equal(uploads.get('file:///a/meta.json'), undefined);
  });

  it('are stored for each manifest, and the last of all', async () => {
    await uploads.remember(upload('file:///a/meta.json'));
    await uploads.remember(upload('file:///b/meta.json'));
    await uploads.remember(upload('file:///a/meta.json', '1.0.1'));
    assert.deepEqual(uploads.get('file:///b/meta.json'), upload('file:///b/meta.json'));
    assert.deepEqual(uploads.get(), upload('file:///a/meta.json', '1.0.1'));
  });

  it('are not repeated without a prompt with another connection or for another module', () => {
    const last = upload('file:///a/meta.json');
    const createTarget = (connection: string, module: string) => ({
      connectionId: connectionId(connection),
      itemId: registryItemId(module),
    });
    assert.ok(isSameTarget(last, createTarget('key-1', 'acme:wheels')));
    assert.ok(!isSameTarget(last, createTarget('key-2', 'acme:wheels')));
    assert.ok(!isSameTarget(last, createTarget('key-1', 'acme:arms')));
  });

  describe('when repeated', () => {
    const there = (version: string, ...platforms: readonly string[]) => ({
      version,
      createdAt: undefined,
      files: platforms.map((platform) => ({ platform, uploadedAt: undefined })),
    });
    const build = (platform: 'linux/amd64' | 'linux/arm64') => ({
      path: `/${platform}.tar.gz`,
      platform,
      writtenAt: 5,
    });
    const [amd64, arm64] = [build('linux/amd64'), build('linux/arm64')];
    const last = { version: '2.0.0', hasArrived: true, builds: [amd64, arm64] };
    const cut = { ...last, hasArrived: false };
    const before = there('1.0.0', 'linux/arm64');

    it('use the next version if the last one was uploaded completely', () => {
      const versions = [before, there('2.0.0', 'linux/amd64', 'linux/arm64')];
      const next = { version: '2.0.1', builds: last.builds, arrived: last.builds };
      assert.deepEqual(planRepetition(last, versions), next);
      assert.deepEqual(planRepetition(cut, versions), next, 'only the answer was lost');
    });

    it('use the selected version if nothing of it was uploaded', () => {
      const whole = { version: '2.0.0', builds: cut.builds, arrived: [] };
      assert.deepEqual(planRepetition(cut, []), whole);
      assert.deepEqual(planRepetition(cut, [before]), whole);
    });

    it('include only what is missing of the selected version', () => {
      assert.deepEqual(planRepetition(cut, [before, there('2.0.0', 'linux/amd64')]), {
        version: '2.0.0',
        builds: [arm64],
        arrived: [amd64],
      });
    });

    it('include everything with another connection, regardless of its versions', () => {
      const all = { builds: last.builds, arrived: [] };
      const of = (version: string) => [there(version, 'linux/amd64')];
      assert.deepEqual(repetitionElsewhere(cut, of('1.9.9')), { ...all, version: '1.9.10' });
      assert.deepEqual(repetitionElsewhere(cut, of('2.0.0')), { ...all, version: '2.0.1' });
    });

    it('count nothing as uploaded if the user selects another version', () => {
      const next = planRepetition(last, [there('2.0.0', 'linux/amd64', 'linux/arm64')]);
      assert.deepEqual(listPreviouslyUploaded(next, last, next.version), []);
      const rest = planRepetition(cut, [there('2.0.0', 'linux/amd64')]);
      assert.deepEqual(listPreviouslyUploaded(rest, cut, rest.version), [amd64]);
      assert.deepEqual(listPreviouslyUploaded(rest, cut, '2.1.0'), []);
    });

    it('prompt before they extend a version that another user uploaded', () => {
      const joins = (...versions: readonly ReturnType<typeof there>[]): boolean =>
        joinsOthers(planRepetition(cut, versions), versions);
      assert.ok(joins(there('2.0.0', 'linux/arm32v7')));
      assert.ok(joins(there('2.0.0', 'linux/amd64', 'linux/arm32v7')));
      assert.ok(!joins(there('2.0.0', 'linux/amd64')));
      assert.ok(!joins(before));
    });

    it('use the next version if theirs is outdated', () => {
      assert.equal(planRepetition(cut, [there('3.0.0', 'any')]).version, '3.0.1');
    });
  });

  it('of another version of the product are ignored', async () => {
    await uploads.remember(upload('file:///a/meta.json'));
    for (const key of storage.keys()) {
      if (key.includes('file:')) await storage.update(key, { manifest: 7 });
    }
    assert.equal(uploads.get(), undefined);
  });
});
