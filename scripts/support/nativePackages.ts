import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled } from '../bootstrap/install.mjs';
import { fromRoot } from './paths';
import { bindingPackage, type NativeTarget } from './vsixTargets';

/** What the query process loads at run time, beside the binding of its platform. */
const portablePackages = ['@duckdb/node-api', '@duckdb/node-bindings', 'detect-libc'] as const;

interface LockEntry {
  version: string;
  integrity: string;
}

/** A package with the folder that holds it. */
export interface PackageFolder {
  name: string;
  /** Absolute. */
  folder: string;
}

/** What the repository's lock says of a package. Its checksum is what npm checks downloads with. */
function locked(name: string): LockEntry {
  const { packages } = JSON.parse(readFileSync(fromRoot('package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  const entry = packages[`node_modules/${name}`];
  if (entry === undefined) throw new Error(`package-lock.json does not know ${name}.`);
  return entry;
}

/**
 * Installs a package of another platform into a folder of its own, with a lock that is one entry of
 * the repository's: npm refuses what has another checksum.
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
  // By force: it is for another platform than this one. Checksums are checked all the same.
  ensureInstalled(folder, ['--force']);
  return join(folder, 'node_modules', name);
}

/**
 * The packages that a VSIX for a platform holds as they are, because native code cannot be bundled.
 * What is not for this machine is fetched once and kept in `.cache/native`.
 *
 * @throws Error when npm cannot fetch a package, or its checksum is not the lock's
 */
export function nativePackages(target: NativeTarget): PackageFolder[] {
  const binding = bindingPackage(target);
  const installed = fromRoot('node_modules', binding);
  return [
    ...portablePackages.map((name) => ({ name, folder: fromRoot('node_modules', name) })),
    { name: binding, folder: existsSync(installed) ? installed : fetchPackage(binding) },
  ];
}
