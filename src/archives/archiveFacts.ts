import { stat } from 'node:fs/promises';
import type { BuildFacts, NamedFiles } from '../core/modules/buildFacts';
import { inspectBuild } from './inspectBuild';

/** Larger archives are looked through when they are uploaded, not while somebody edits. */
const LARGEST = 256 * 1024 * 1024;
/** Unpacked: so much takes some seconds, whatever the archive was made for. */
const LARGEST_UNPACKED = 2 * 1024 ** 3;

interface Known {
  readonly key: string;
  /** Undefined of an archive that unpacks to more than is read here. */
  readonly facts: BuildFacts | undefined;
}

/** What archives hold, as long as they do not change: reading one to its end takes a while. */
export class ArchiveFacts {
  private readonly known = new Map<string, Known>();

  /** @param mostBytes unpacked; of archives that have more, nothing is told */
  constructor(private readonly mostBytes = LARGEST_UNPACKED) {}

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
    const { mostBytes } = this;
    const found = await inspectBuild(path, named, { signal, mostBytes });
    const isWhole = found.problems.every(({ code }) => code !== 'tooManyBytes');
    const facts = isWhole ? found : undefined;
    this.known.set(path, { key, facts });
    return facts;
  }
}
