import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { counted } from '../managed/formatQuantity';
import type { Example } from '../managed/examples';
import type { Report } from './report';
import { decodeImage } from './decodeImage';
import { resizeToSquare } from './resize';

/** An example whose image is ready to be used as input to a network. */
export interface LoadedExample extends Example {
  /** Red, green, and blue bytes of the square image. */
  readonly square: Uint8Array;
  /** Hash of the image file, which is the same for all copies of an image. */
  readonly content: string;
}

const PROGRESS_INTERVAL = 200;
const MAX_LISTED_REASONS = 5;
/** Maximum file size. Files are read completely, and cameras don't write larger files. */
const MAX_FILE_BYTES = 128 * 1024 * 1024;

/**
 * Decodes the images of examples, one after the other. Logs and skips images that can't be decoded.
 */
export async function loadSquares(
  examples: readonly Example[],
  size: number,
  report: Report,
): Promise<LoadedExample[]> {
  const loaded: LoadedExample[] = [];
  const unreadable: string[] = [];
  for (const [at, example] of examples.entries()) {
    try {
      const bytes = await readImageFile(example.file);
      const content = createHash('sha256').update(bytes).digest('base64');
      const square = resizeToSquare(decodeImage(bytes), size);
      loaded.push({ ...example, square, content });
    } catch (error) {
      unreadable.push(error instanceof Error ? error.message : String(error));
    }
    if ((at + 1) % PROGRESS_INTERVAL === 0) {
      await report(`Read ${String(at + 1)} of ${String(examples.length)} images.`);
    }
  }
  if (unreadable.length > 0) {
    const reasons = [...new Set(unreadable)].slice(0, MAX_LISTED_REASONS).join('; ');
    await report(
      `${counted(unreadable.length, 'image')} could not be read and ${isOrAre(unreadable.length)} skipped: ${reasons}. Only JPEG and PNG files are supported.`,
      'warn',
    );
  }
  const same = loaded.length - new Set(loaded.map(({ content }) => content)).size;
  if (same > 0) {
    await report(
      `${counted(same, 'image')} ${isOrAre(same)} identical to another one. Copies are either all used for training, or all held out.`,
      'warn',
    );
  }
  return loaded;
}

async function readImageFile(file: string): Promise<Buffer> {
  if ((await stat(file)).size > MAX_FILE_BYTES) throw new Error('the file is too large');
  return readFile(file);
}

function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}
