import { createReadStream, createWriteStream } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { jsonLine } from '../../../base/jsonLine';

/**
 * Writes the dataset file for a script, which is a copy of the service's file with absolute image
 * paths. Scripts for the public service open these paths unchanged, and the script has a different
 * working directory.
 * @throws any error of the file system; the signal's reason.
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
