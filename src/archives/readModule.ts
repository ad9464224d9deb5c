import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { FleetError } from '../core/api/errors';
import { type ParsedManifest, parseManifest } from '../core/modules/manifest/parseManifest';

/** A manifest on this machine, as far as it can be read. */
export interface ReadModule extends Pick<ParsedManifest, 'manifest' | 'problems'> {
  /** Its folder, absolute. */
  readonly folder: string;
}

/** @throws FleetError `notFound` when there is no file at `path`. */
export async function readModule(path: string): Promise<ReadModule> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const message = `There is no manifest at ${path}. Specify its path with --module FILE.`;
    throw new FleetError('notFound', message, { cause: error });
  });
  return { ...parseManifest(text), folder: dirname(resolve(path)) };
}
