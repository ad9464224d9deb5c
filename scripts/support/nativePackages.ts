import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled } from '../bootstrap/install.mjs';
import { fromRoot } from './paths';
import { bindingPackage, type NativeTarget } from './vsixTargets';

/**
 * Packages that the query process loads at run time, in addition to the binding of its platform.
 */
const portablePackages = ['@duckdb/node-api', '@duckdb/node-bindings', 'detect-libc'] as const;

interface LockEntry {
  version: string;
  integrity: string;
}

/** Package with its folder. */
export interface PackageFolder {
  name: string;
  /** Absolute path. */
  folder: string;
}

/**
 * Returns the entry of a package in the repository's lock file. npm checks downloads against its
 * checksum.
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
 * Installs a package for another platform into a separate folder, with a lock file that contains
 * only this entry of the repository's: npm rejects packages with another checksum.
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
  // Forced, because it is for another platform. Checksums are still checked.
  ensureInstalled(folder, ['--force']);
  return join(folder, 'node_modules', name);
}

/**
 * Returns the packages that a VSIX for a platform includes unbundled, because native code can't be
 * bundled. Packages for other platforms are downloaded once and cached in `.cache/native`.
 *
 * @throws Error if npm can't download a package, or its checksum differs from that in the lock file
 */
export function nativePackages(target: NativeTarget): PackageFolder[] {
  const binding = bindingPackage(target);
  const installed = fromRoot('node_modules', binding);
  return [
    ...portablePackages.map((name) => ({ name, folder: fromRoot('node_modules', name) })),
    { name: binding, folder: existsSync(installed) ? installed : fetchPackage(binding) },
  ];
}
