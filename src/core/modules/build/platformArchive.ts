import type { Platform } from '../platforms';

const ENDING = /((?<=[^/\\])(?:\.tar\.gz|\.tgz|\.[^./\\]+))?$/i;

/**
 * Where the build of one platform is kept when several are made, which all come to the same path:
 * beside it, under a name with the platform. `dist/archive.tar.gz` for `linux/arm64` is kept as
 * `dist/archive-linux-arm64.tar.gz`.
 *
 * @param path as `build.path` of the manifest has it
 */
export function platformArchive(path: string, platform: Platform): string {
  const trimmed = path.replace(/[/\\]+$/, '');
  return trimmed.replace(ENDING, (ending: string) => `-${platform.replaceAll('/', '-')}${ending}`);
}
