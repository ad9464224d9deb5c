import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { LogItem } from '../../../core/logs/logItem';
import type { FormatItem, LineLabels } from './lineText';
import { canceled } from '../../../core/api/errors';
import { safeSegment } from '../../../core/documents/documentAddress';

/** Number of items per chunk, small enough that other work can run between chunks. */
const ITEMS_IN_CHUNK = 500;

/**
 * Yields the items' text in chunks.
 * @param report called with the number of items in the consumed chunks.
 */
export function* lineChunks(
  items: readonly LogItem[],
  formatItem: FormatItem,
  labels: LineLabels,
  report: (done: number) => void,
): Generator<string> {
  for (let start = 0; start < items.length; start += ITEMS_IN_CHUNK) {
    const chunk = items.slice(start, start + ITEMS_IN_CHUNK);
    yield chunk.map((item) => formatItem(item, labels)).join('');
    report(start + chunk.length);
  }
}

/**
 * Writes text to a file with backpressure. Replaces an existing file only when the new one is
 * complete; on failure, the existing file remains unchanged.
 * @throws file system errors, or `canceled`.
 */
export async function writeChunks(
  path: string,
  chunks: Iterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const partial = `${path}.${randomUUID()}.part`;
  try {
    await pipeline(Readable.from(chunks), createWriteStream(partial), { signal });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw signal.aborted ? canceled() : error;
  }
}

/** Returns the name of a log file for these parts, without its extension. */
export function exportName(names: readonly string[]): string {
  const [first = '', ...others] = names;
  const rest = others.length > 0 ? `-and-${others.length}-more` : '';
  return `logs-${safeSegment(first).replaceAll(' ', '-')}${rest}`;
}
