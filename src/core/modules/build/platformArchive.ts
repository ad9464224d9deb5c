import type { Platform } from '../platforms';

const ENDING = /((?<=[^/\\])(?:\.tar\.gz|\.tgz|\.[^./\\]+))?$/i;

/**
 * Returns the path for saving the build of one platform when builds for several platforms have the
 * same path: next to it, with the platform in its name. `dist/archive.tar.gz` for `linux/arm64` is
 * saved as `dist/archive-linux-arm64.tar.gz`.
 *
 * @param path `build.path` of the manifest
 */
export function platformArchive(path: string, platform: Platform): string {
  const trimmed = path.replace(/[/\\]+$/, '');
  return trimmed.replace(ENDING, (ending: string) => `-${platform.replaceAll('/', '-')}${ending}`);
}
