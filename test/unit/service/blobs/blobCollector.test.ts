import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { BlobCollector } from '../../../../src/service/blobs/blobCollector';
import type { BlobStore } from '../../../../src/service/blobs/blobStore';
import { openFileBlobStore } from '../../../../src/service/blobs/fileBlobStore';
import { announceBlob } from '../../../../src/service/store/data/blobReferences';
import { openSqliteStore } from '../../../../src/service/store/openStore';
import { insertOrganization } from '../../../../src/service/store/organizations';
import type { Store } from '../../../../src/service/store/store';
import { insertItem } from '../../../support/insertItem';

const MORE_THAN_A_BATCH = 1500;

describe('BlobCollector', () => {
  let store: Store;
  let blobs: BlobStore;
  let collector: BlobCollector;

  beforeEach(async () => {
    store = await openSqliteStore(undefined);
    blobs = await openFileBlobStore(undefined);
    collector = new BlobCollector(store, blobs);
  });
  afterEach(async () => {
    await store.destroy();
    await blobs.close();
  });

  const newBlob = async (): Promise<string> => {
    async function* bytes() {
      yield await Promise.resolve(randomBytes(10));
    }
    await using incoming = await blobs.receive(bytes());
    await announceBlob(store, { hash: incoming.hash, size: incoming.size });
    await incoming.commit();
    return incoming.hash;
  };
  const use = async (hash: string): Promise<void> => {
    await insertOrganization(store, { id: 'acme', name: '', createdAt: 1 });
    await insertItem(store, 'item', { hash, size: 10 });
  };

  it('skips a file that is still being read until its reader collects it', async () => {
    const [read, other] = [await newBlob(), await newBlob()];
    collector.skipIf((hash) => hash === read);
    await collector.collectAll();
    assert.ok(await blobs.read({ hash: read, size: 10 }));
    assert.equal(await blobs.read({ hash: other, size: 10 }), undefined);
    await collector.collect([read]);
    assert.equal(await blobs.read({ hash: read, size: 10 }), undefined);
  });

  it('deletes files without records after a crash, but no files in use', async () => {
    const [used, left] = [await newBlob(), await newBlob()];
    await use(used);
    await collector.collectAll();
    assert.ok(await blobs.read({ hash: used, size: 10 }));
    assert.equal(await blobs.read({ hash: left, size: 10 }), undefined);
    const rows = await store.selectFrom('blobs').select('hash').execute();
    assert.deepEqual(
      rows.map(({ hash }) => hash),
      [used],
    );
    await collector.collect([used, left, used]);
    assert.ok(await blobs.read({ hash: used, size: 10 }), 'a blob in use was deleted');
  });

  it('deletes the records of blobs that were announced but never stored, in several batches', async () => {
    const hashes = Array.from({ length: MORE_THAN_A_BATCH }, () => randomBytes(32).toString('hex'));
    await store.transaction().execute(async (transaction) => {
      for (const hash of hashes) {
        await announceBlob(transaction, { hash, size: 1 });
      }
    });
    await collector.collectAll();
    assert.deepEqual(await store.selectFrom('blobs').selectAll().execute(), []);
  });
});
