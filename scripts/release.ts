import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildForRelease, packTarget } from './support/packExtension';
import { fromRoot, root } from './support/paths';
import { formatChecksums, getReleaseNotes, toReleaseVersion } from './support/releaseFiles';
import { vsixTargets } from './support/vsixTargets';

const folder = fromRoot('.cache', 'release');

/** Returns the bill of materials of the shipped packages, in CycloneDX. */
function createSbom(): string {
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error('Run this script with npm: npm run release -- v1.2.0');
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const { status, stdout } = spawnSync(
    process.execPath,
    [npm, ...args, '--omit=dev', '--package-lock-only'],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (status !== 0) throw new Error('npm sbom failed.');
  return stdout;
}

/**
 * Creates the files of a release in `.cache/release`: the VSIX for every target, a bill of
 * materials, the release notes, and checksums of all files.
 */
function main([tag]: readonly string[]): void {
  if (tag === undefined) throw new Error('Name the tag: npm run release -- v1.2.0');
  const manifest = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8')) as {
    version: string;
  };
  const version = toReleaseVersion(tag, manifest.version);
  const notes = getReleaseNotes(readFileSync(fromRoot('CHANGELOG.md'), 'utf8'), version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  buildForRelease();
  for (const target of vsixTargets) packTarget(target, join(folder, `fleetwright-${target}.vsix`));
  writeFileSync(join(folder, 'fleetwright.cdx.json'), createSbom());
  writeFileSync(join(folder, 'RELEASE_NOTES.md'), `${notes}\n`);
  const names = readdirSync(folder);
  const files = new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
  writeFileSync(join(folder, 'SHA256SUMS'), formatChecksums(files));
  console.log(names.join('\n'));
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
