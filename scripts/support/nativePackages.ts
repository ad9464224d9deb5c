import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled } from '../bootstrap/install.mjs';
import { fromRoot } from './paths';
import { bindingPackage, type NativeTarget } from './vsixTargets';

/**
 * Packages that the query process loads at run time, in addition to the platform-specific binding.
 */
const portablePackages = ['@duckdb/node-api', '@duckdb/node-bindings', 'detect-libc'] as const;

interface LockEntry {
  version: string;
  integrity: string;
}

/** A package and its folder. */
export interface PackageFolder {
  name: string;
  /** Absolute path of the package's folder. */
  folder: string;
}

/**
 * Returns a package's entry in the repository's lock file, which contains the checksum that npm
 * verifies downloads against.
 */
function locked(name: string): LockEntry {
  const { packages } = JSON.parse(readFileSync(fromRoot('package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  const entry = packages[`node_modules/${name}`];
  if (entry === undefined) throw new Error(`package-lock.json does not know ${name}.`);
  return entry;
}

/**
 * Installs a package for another platform into a separate folder. The folder's lock file contains
 * only this package's entry from the repository's lock file, so that npm rejects packages with a
 * different checksum.
 */
function fetchPackage(name: string): string {
  const { version, integrity } = locked(name);
  const folder = fromRoot('.cache', 'native', name.replace('/', '-'));
  const manifest = { name: 'native', version: '0.0.0', dependencies: { [name]: version } };
  const packages = { '': manifest, [`node_modules/${name}`]: { version, integrity } };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ ...manifest, lockfileVersion: 3, requires: true, packages }),
  );
  // Use `--force`, because the package is for another platform. npm still checks its checksum.
  ensureInstalled(folder, ['--force']);
  return join(folder, 'node_modules', name);
}

/**
 * Returns the packages that a VSIX for a platform includes unbundled, because native code can't be
 * bundled. Packages for other platforms are downloaded once and cached in `.cache/native`.
 *
 * @throws Error if npm can't download a package or if its checksum differs from the one in the lock
 *   file
 */
export function nativePackages(target: NativeTarget): PackageFolder[] {
  const binding = bindingPackage(target);
  const installed = fromRoot('node_modules', binding);
  return [
    ...portablePackages.map((name) => ({ name, folder: fromRoot('node_modules', name) })),
    { name: binding, folder: existsSync(installed) ? installed : fetchPackage(binding) },
  ];
}
