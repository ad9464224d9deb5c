import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fromRoot } from '../../../scripts/support/paths';
import { bindingPackage, nativeTargets, vsixTargets } from '../../../scripts/support/vsixTargets';

interface LockEntry {
  version: string;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

const { packages } = JSON.parse(readFileSync(fromRoot('package-lock.json'), 'utf8')) as {
  packages: Record<string, LockEntry>;
};

/** Returns VS Code's target name for a package's platform fields. */
function toVsixTarget({ os = [], cpu = [], libc = [] }: LockEntry): string {
  return `${libc.includes('musl') ? 'alpine' : os.join()}-${cpu.join()}`;
}

describe('targets of a VSIX', () => {
  it('are the platforms of DuckDB, each with its package', () => {
    const bindings = Object.entries(packages).filter(([path]) =>
      path.startsWith('node_modules/@duckdb/node-bindings-'),
    );
    assert.deepEqual(
      Object.fromEntries(nativeTargets.map((target) => [target, bindingPackage(target)])),
      Object.fromEntries(
        bindings.map(([path, entry]) => [toVsixTarget(entry), path.replace('node_modules/', '')]),
      ),
    );
  });

  it('have one version of DuckDB', () => {
    const version = packages['node_modules/@duckdb/node-api']?.version;
    for (const target of nativeTargets) {
      assert.equal(packages[`node_modules/${bindingPackage(target)}`]?.version, version, target);
    }
  });

  it('include one without DuckDB for all other platforms', () => {
    assert.deepEqual(vsixTargets, [...nativeTargets, 'universal']);
  });
});
