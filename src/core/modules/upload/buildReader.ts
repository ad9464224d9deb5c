import type { BuildFacts, NamedFiles } from '../buildFacts';

/** Reads builds on this computer: folders and `.tar.gz` archives. */
export interface BuildReader {
  /** Inspects a build. @throws file system errors if the build doesn't exist. */
  inspect(path: string, named: NamedFiles, options: ReadBuildOptions): Promise<BuildFacts>;
  /**
   * Yields the bytes of a build as a `.tar.gz` archive, only as fast as they are consumed. The
   * bytes are the same every time.
   * @throws FleetError if the build can't be read; `conflict` if it changes during the read or
   *   isn't the inspected build
   */
  read(path: string, named: NamedFiles, options: ReadArchiveOptions): AsyncIterable<Uint8Array>;
}

export interface ReadArchiveOptions extends ReadBuildOptions {
  /** Fingerprint of the inspected build; a build with a different fingerprint is rejected. */
  readonly fingerprint?: string | undefined;
}

export interface ReadBuildOptions {
  readonly signal: AbortSignal;
  /**
   * Called with the number of file bytes as they are read. For a folder, this exceeds the number of
   * sent bytes.
   */
  readonly onRead?: ((bytes: number) => void) | undefined;
}
