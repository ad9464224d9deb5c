import type { BuildFacts, NamedFiles } from '../buildFacts';

/** Reads builds on this computer: folders and `.tar.gz` archives. */
export interface BuildReader {
  /** Inspects a build. @throws file system errors if it doesn't exist. */
  inspect(path: string, named: NamedFiles, options: ReadBuildOptions): Promise<BuildFacts>;
  /**
   * Yields its bytes as a `.tar.gz` archive, the same every time, only as fast as they are
   * consumed.
   * @throws FleetError `conflict` if it changes during the read or isn't the inspected build, and
   *   if it can't be read
   */
  read(path: string, named: NamedFiles, options: ReadArchiveOptions): AsyncIterable<Uint8Array>;
}

export interface ReadArchiveOptions extends ReadBuildOptions {
  /** Fingerprint of the inspected build: any other build is rejected. */
  readonly fingerprint?: string | undefined;
}

export interface ReadBuildOptions {
  readonly signal: AbortSignal;
  /**
   * Called with the bytes of files as they are read; for a folder, they exceed the number of sent
   * bytes.
   */
  readonly onRead?: ((bytes: number) => void) | undefined;
}
