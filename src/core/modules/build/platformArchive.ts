import type { Platform } from '../platforms';

const ENDING = /((?<=[^/\\])(?:\.tar\.gz|\.tgz|\.[^./\\]+))?$/i;

/**
 * Returns the path at which to save the build for one platform if the builds for multiple platforms
 * have the same path. The saved build is next to that path, with the platform in its name:
 * `dist/archive.tar.gz` for `linux/arm64` is saved as `dist/archive-linux-arm64.tar.gz`.
 *
 * @param path `build.path` of the manifest
 */
export function platformArchive(path: string, platform: Platform): string {
  const trimmed = path.replace(/[/\\]+$/, '');
  return trimmed.replace(ENDING, (ending: string) => `-${platform.replaceAll('/', '-')}${ending}`);
}
