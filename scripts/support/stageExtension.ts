import { cpSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machOSlice, type MachOArchitecture } from './machOSlice';
import type { PackageFolder } from './nativePackages';
import { appendThirdPartyNotices } from './thirdPartyNotices';
import type { VsixTarget } from './vsixTargets';

const listFile = '.vscodeignore';

/**
 * Pattern of the files that a package needs at run time. Licenses are omitted, because they are in
 * the third-party notices.
 */
const runnable = /(^package\.json|\.(js|node|so|dylib|dll))$/;

/** Targets for macOS, whose files can contain code for both architectures. */
const machOTargets: Partial<Record<VsixTarget, MachOArchitecture>> = {
  'darwin-x64': 'x64',
  'darwin-arm64': 'arm64',
};

export interface StageOptions {
  /** Absolute path of the repository or an equivalent folder, with the bundles in `dist`. */
  source: string;
  /** Absolute path of the folder to fill; created if missing. */
  folder: string;
  target: VsixTarget;
  /** Packages that aren't bundled; empty if there is no native code. */
  packages: readonly PackageFolder[];
}

function isFile(path: string): boolean {
  return statSync(path).isFile();
}

function copyListed(source: string, folder: string): void {
  const patterns = readFileSync(join(source, listFile), 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  for (const path of [listFile, ...globSync(patterns, { cwd: source })]) {
    if (path.startsWith(join('dist', 'node_modules')) || !isFile(join(source, path))) continue;
    cpSync(join(source, path), join(folder, path));
  }
}

function copyPackage({ name, folder: source }: PackageFolder, folder: string): string[] {
  return globSync('**', { cwd: source })
    .filter((path) => runnable.test(path) && isFile(join(source, path)))
    .map((path) => {
      const copy = join(folder, name, path);
      cpSync(join(source, path), copy);
      return copy;
    });
}

function cutToArchitecture(files: readonly string[], architecture: MachOArchitecture): void {
  for (const file of files.filter((path) => /\.(node|dylib)$/.test(path))) {
    writeFileSync(file, machOSlice(readFileSync(file), architecture));
  }
}

/**
 * Fills a folder with exactly the contents of a target's VSIX: the files that `.vscodeignore`
 * includes, and the packages that can't be bundled. These packages are copied to
 * `dist/node_modules`, where a bundle's `require` finds them wherever `dist` is located.
 *
 * @throws Error if a library for macOS doesn't contain code for the target's architecture
 */
export function stageExtension({ source, folder, target, packages }: StageOptions): void {
  mkdirSync(folder, { recursive: true });
  copyListed(source, folder);
  if (packages.length === 0) return;
  const files = packages.flatMap((one) => copyPackage(one, join(folder, 'dist', 'node_modules')));
  const architecture = machOTargets[target];
  if (architecture !== undefined) cutToArchitecture(files, architecture);
  appendThirdPartyNotices(
    join(folder, 'dist', 'THIRD_PARTY_NOTICES.txt'),
    packages.map((one) => one.folder),
  );
}
