import { stat } from 'node:fs/promises';
import type { BuildFacts, NamedFiles } from '../core/modules/buildFacts';
import { inspectBuild } from './inspectBuild';

/**
 * Maximum size, in bytes, of archives that are inspected during editing. Larger archives are
 * inspected when they are uploaded.
 */
const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024;
/**
 * Maximum unpacked size in bytes. Inspecting this much takes only a few seconds for any archive.
 */
const MAX_UNPACKED_BYTES = 2 * 1024 ** 3;

interface Known {
  readonly key: string;
  /** Facts about the archive; undefined if its unpacked size exceeds the limit. */
  readonly facts: BuildFacts | undefined;
}

/**
 * Caches the facts about each archive until the archive changes, because reading a whole archive is
 * slow.
 */
export class ArchiveFacts {
  private readonly known = new Map<string, Known>();

  /** @param mostBytes unpacked size limit; larger archives have no facts */
  constructor(private readonly mostBytes = MAX_UNPACKED_BYTES) {}

  /**
   * @returns the facts; undefined if the archive is too large to be read now, or if its facts
   *   aren't cached and it must not be read
   * @throws file system errors, and the signal's reason
   */
  async of(
    path: string,
    named: NamedFiles,
    { isThorough, signal }: { readonly isThorough: boolean; readonly signal: AbortSignal },
  ): Promise<BuildFacts | undefined> {
    const { size, mtimeMs } = await stat(path);
    const key = JSON.stringify([size, mtimeMs, named.entrypoint, named.firstRun]);
    const known = this.known.get(path);
    if (known?.key === key) return known.facts;
    if (!isThorough || size > MAX_ARCHIVE_BYTES) return undefined;
    const { mostBytes } = this;
    const found = await inspectBuild(path, named, { signal, mostBytes });
    const isWhole = found.problems.every(({ code }) => code !== 'tooManyBytes');
    const facts = isWhole ? found : undefined;
    this.known.set(path, { key, facts });
    return facts;
  }
}
