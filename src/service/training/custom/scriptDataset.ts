import { createReadStream, createWriteStream } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { jsonLine } from '../../../base/jsonLine';

/**
 * Writes the dataset file that a script reads: as the service has it, but with paths of images that lead
 * to them from everywhere. Scripts for the public service open them as they are, and this script
 * works in a folder of its own.
 * @throws what the file system says, and the signal's reason.
 */
export async function writeScriptDataset(
  datasetFile: string,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const folder = dirname(datasetFile);
  async function* lines(): AsyncGenerator<string> {
    const input = createReadStream(datasetFile, 'utf8');
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      if (line.trim() !== '') yield `${withWholePath(line, folder)}\n`;
    }
  }
  await pipeline(lines, createWriteStream(path), { signal });
}

function withWholePath(line: string, folder: string): string {
  const item = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const { image_path: path } = item;
  return typeof path === 'string' ? jsonLine({ ...item, image_path: resolve(folder, path) }) : line;
}
