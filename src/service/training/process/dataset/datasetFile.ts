import { createReadStream } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type AnnotatedImage, readAnnotatedImage } from '../../managed/annotatedImage';

/**
 * Reads `dataset.jsonl` with the absolute paths of its images. The result is sorted by path, so the
 * order of lines in the file has no effect.
 */
export async function readDatasetFile(path: string): Promise<AnnotatedImage[]> {
  const images: AnnotatedImage[] = [];
  for await (const text of createInterface({ input: createReadStream(path) })) {
    const image = text.trim() === '' ? undefined : readAnnotatedImage(text);
    if (image) images.push({ ...image, file: resolve(dirname(path), image.file) });
  }
  return images.sort((a, b) => (a.file < b.file ? -1 : 1));
}
