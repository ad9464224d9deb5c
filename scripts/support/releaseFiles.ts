import { createHash } from 'node:crypto';

/**
 * Returns the version in a tag such as `v1.2.0`.
 *
 * @throws Error if the package has a different version
 */
export function toReleaseVersion(tag: string, packageVersion: string): string {
  if (tag !== `v${packageVersion}`) {
    throw new Error(
      `The tag ${tag} does not match version ${packageVersion} of package.json. Use v${packageVersion}.`,
    );
  }
  return packageVersion;
}

/**
 * Returns the text below a version's heading in CHANGELOG.md.
 *
 * @throws Error if there is no heading with a date for the version
 */
export function getReleaseNotes(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`[${version}] - `));
  const [heading = '', ...lines] = section?.split(/\r?\n/) ?? [];
  if (!/ - \d{4}-\d{2}-\d{2}$/.test(heading)) {
    throw new Error(
      `CHANGELOG.md has no dated heading for ${version}. Add one, for example "## [${version}] - 2026-01-31".`,
    );
  }
  return lines.join('\n').trim();
}

/** Returns the lines of a checksum file for `sha256sum --check`, sorted by file name. */
export function formatChecksums(files: ReadonlyMap<string, Uint8Array>): string {
  return [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
    .join('');
}
