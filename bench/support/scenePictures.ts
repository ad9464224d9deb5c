import { openFileBlobStore } from '../../src/service/blobs/fileBlobStore';
import { encodeImage } from '../../src/simulate/images/encodeImage';
import { hallScene } from '../../src/simulate/images/hallScene';
import { Random } from '../../src/simulate/random';
import type { StoredContent } from './bulkData';

const WIDTH = 640;
const HEIGHT = 480;

/** Stores images of a hall in a stopped service's content folder. */
export async function storeImages(directory: string, count: number): Promise<StoredContent[]> {
  const random = new Random('pictures');
  const blobs = await openFileBlobStore(directory);
  const stored: StoredContent[] = [];
  for (let index = 0; index < count; index += 1) {
    const { canvas } = hallScene(random.of(String(index)), new Date(0), WIDTH, HEIGHT);
    const bytes = encodeImage(canvas, 'jpeg');
    await using incoming = await blobs.receive(
      (async function* () {
        yield await Promise.resolve(bytes);
      })(),
    );
    await incoming.commit();
    stored.push({ hash: incoming.hash, size: incoming.size });
  }
  await blobs.close();
  return stored;
}
