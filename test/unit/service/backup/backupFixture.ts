import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { blobPath } from '../../../../src/service/blobs/fileBlobStore';
import { openFleetStore } from '../../../../src/service/openFleetStore';
import { announceBlob } from '../../../../src/service/store/data/blobReferences';
import { insertOrganization } from '../../../../src/service/store/organizations';
import { insertItem } from '../../../support/insertItem';
import { silentLogger } from '../../../support/silentLogger';

/**
 * Fills a data directory with a fleet that has captured data.
 * @returns the hashes of the contents.
 */
export async function fillDataDirectory(dataDir: string, contents: number): Promise<string[]> {
  await mkdir(dataDir);
  const { store } = await openFleetStore({ dataDir, logger: silentLogger });
  const hashes: string[] = [];
  try {
    await insertOrganization(store, { id: 'acme', name: 'Acme', createdAt: 1 });
    for (let n = 0; n < contents; n += 1) {
      const bytes = randomBytes(100 + n);
      const hash = createHash('sha256').update(bytes).digest('hex');
      const path = join(dataDir, 'blobs', blobPath(hash));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes);
      await announceBlob(store, { hash, size: bytes.length });
      await insertItem(store, `item-${String(n)}`, { hash, size: bytes.length });
      hashes.push(hash);
    }
  } finally {
    await store.destroy();
  }
  return hashes;
}
