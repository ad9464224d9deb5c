import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fromRoot } from './paths';

const digestFile = '.digest';

function computeDigest(vsixFiles: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of vsixFiles) hash.update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function isCacheValid(folder: string, digest: string): boolean {
  const file = join(folder, digestFile);
  return existsSync(file) && readFileSync(file, 'utf8') === digest;
}

/**
 * Creates an extensions folder that contains packaged extensions. VS Code installs the extensions
 * once into a folder in `.cache`, which is then copied, because an installation takes seconds and
 * every journey test needs such a folder.
 *
 * @param folder absolute path of the extensions folder
 * @param install makes VS Code install a `.vsix` into a folder
 */
export function installCachedExtensions(
  vsixFiles: readonly string[],
  folder: string,
  install: (vsix: string, folder: string) => void,
): void {
  const names = vsixFiles.map((file) => basename(file, '.vsix')).join('+');
  const cacheFolder = fromRoot('.cache', 'extensions', names);
  const digest = computeDigest(vsixFiles);
  if (!isCacheValid(cacheFolder, digest)) {
    mkdirSync(fromRoot('.cache', 'extensions'), { recursive: true });
    const fresh = mkdtempSync(fromRoot('.cache', 'extensions', 'unfinished-'));
    for (const file of vsixFiles) install(file, fresh);
    writeFileSync(join(fresh, digestFile), digest);
    rmSync(cacheFolder, { recursive: true, force: true });
    renameSync(fresh, cacheFolder);
  }
  cpSync(cacheFolder, folder, { recursive: true });
}
