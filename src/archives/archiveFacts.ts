import { stat } from 'node:fs/promises';
import type { BuildFacts, NamedFiles } from '../core/modules/buildFacts';
import { inspectBuild } from './inspectBuild';

/** Larger archives are looked through when they are uploaded, not while somebody edits. */
const LARGEST = 256 * 1024 * 1024;

interface Known {
  readonly key: string;
  readonly facts: BuildFacts;
}

/** What archives hold, as long as they do not change: reading one to its end takes a while. */
export class ArchiveFacts {
  private readonly known = new Map<string, Known>();

  /**
   * @returns undefined when the archive is too large to be read now, or not known and not to be read
   * @throws what the file system says, and the signal's reason
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
    if (!isThorough || size > LARGEST) return undefined;
    const facts = await inspectBuild(path, named, { signal });
    this.known.set(path, { key, facts });
    return facts;
  }
}
