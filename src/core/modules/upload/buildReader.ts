import type { BuildFacts, NamedFiles } from '../buildFacts';

/** Builds on this machine: folders and `.tar.gz` archives. */
export interface BuildReader {
  /** Looks through a build. @throws what the file system says when it is not there. */
  inspect(path: string, named: NamedFiles, options: ReadBuildOptions): Promise<BuildFacts>;
  /**
   * Its bytes as a `.tar.gz` archive, the same every time, only as fast as they are taken.
   * @throws FleetError `conflict` when it changes in the meantime, or is not what was looked through, and when
   *   it cannot be read
   */
  read(path: string, named: NamedFiles, options: ReadArchiveOptions): AsyncIterable<Uint8Array>;
}

export interface ReadArchiveOptions extends ReadBuildOptions {
  /** The fingerprint of the build that was looked through: nothing else is to be read. */
  readonly fingerprint?: string | undefined;
}

export interface ReadBuildOptions {
  readonly signal: AbortSignal;
  /** Called with the bytes of files as they are read, which are more than what is sent of a folder. */
  readonly onRead?: ((bytes: number) => void) | undefined;
}
