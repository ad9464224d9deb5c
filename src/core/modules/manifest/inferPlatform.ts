import { nearestName } from '../../../base/nearestName';
import { isPlatform, type Platform, PLATFORMS } from '../platforms';

const MAX_WORD_LENGTH = 100;

/** Synonyms that compilers and distributions use. */
const SYNONYMS: Readonly<Record<string, string>> = {
  x64: 'amd64',
  aarch64: 'arm64',
  arm64v8: 'arm64',
  armv8: 'arm64',
  armv8l: 'arm64',
  armv7: 'arm32v7',
  armv7l: 'arm32v7',
  armhf: 'arm32v7',
  arm: 'arm32v7',
  armv6: 'arm32v6',
  armv6l: 'arm32v6',
  armel: 'arm32v6',
  i386: '386',
  i486: '386',
  i586: '386',
  i686: '386',
  x86: '386',
  macos: 'darwin',
  osx: 'darwin',
  mac: 'darwin',
  win: 'windows',
  win32: 'windows',
  win64: 'windows',
};
const ARCHITECTURE = /^(?:amd|arm|386)/;

/**
 * Returns the platform whose name is most similar to an invalid name; undefined if no name is
 * similar.
 */
export function inferPlatform(written: string): Platform | undefined {
  if (written.length > MAX_WORD_LENGTH) return undefined;
  const words = written
    .trim()
    .toLowerCase()
    .replace(/x86[_-]64/, 'amd64')
    .replace(/arm\/v(?=[67])/, 'arm32v')
    .split(/[/\s_-]+/)
    .map((word) => (Object.hasOwn(SYNONYMS, word) ? (SYNONYMS[word] ?? word) : word));
  const [first = ''] = words;
  const parts =
    words.length > 1
      ? words.toSorted((a, b) => Number(ARCHITECTURE.test(a)) - Number(ARCHITECTURE.test(b)))
      : ARCHITECTURE.test(first)
        ? ['linux', first]
        : [first, 'any'];
  const platform = parts.join('/');
  return isPlatform(platform) ? platform : findNearestPlatform(platform);
}

function findNearestPlatform(written: string): Platform | undefined {
  const nearest = nearestName(written, PLATFORMS);
  return nearest !== undefined && isPlatform(nearest) ? nearest : undefined;
}
