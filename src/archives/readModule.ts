import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { FleetError } from '../core/api/errors';
import { type ParsedManifest, parseManifest } from '../core/modules/manifest/parseManifest';

/** Manifest on this computer, with the fields that could be parsed. */
export interface ReadModule extends Pick<ParsedManifest, 'manifest' | 'problems'> {
  /** Absolute path of the manifest's folder. */
  readonly folder: string;
}

/**
 * Reads and parses the manifest at `path`.
 * @throws FleetError `notFound` when there is no file at `path`.
 */
export async function readModule(path: string): Promise<ReadModule> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const message = `There is no manifest at ${path}. Specify its path with --module FILE.`;
    throw new FleetError('notFound', message, { cause: error });
  });
  return { ...parseManifest(text), folder: dirname(resolve(path)) };
}
