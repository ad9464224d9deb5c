import type { Platform } from '../platforms';
import { HeadReader, type ProgramHead } from './programHead';

const THIN: ReadonlySet<number | undefined> = new Set([0xfe_ed_fa_ce, 0xfe_ed_fa_cf]);
const FAT = 0xca_fe_ba_be;
const FAT_64 = 0xca_fe_ba_bf;
/**
 * Maximum number of architectures. Java class files start with the same four bytes, followed by a
 * version that is far greater.
 */
const MAX_ARCHITECTURES = 20;
const WIDTH_OF_ENTRY = { [FAT]: 20, [FAT_64]: 32 };

/** Architectures by `cputype` in `mach/machine.h`. */
const PROCESSORS: Readonly<Record<number, 'amd64' | 'arm64' | '386'>> = {
  0x01_00_00_07: 'amd64',
  0x01_00_00_0c: 'arm64',
  7: '386',
};

/**
 * Parses the head of a Mach-O file for macOS with one or more architectures; returns undefined for
 * other files.
 */
export function readMachHead(head: Uint8Array): ProgramHead | undefined {
  const big = new HeadReader(head, false);
  const little = new HeadReader(head, true);
  const magic = big.double(0);
  if (THIN.has(magic)) return toProgramHead([big.double(4)]);
  if (THIN.has(little.double(0))) return toProgramHead([little.double(4)]);
  if (magic !== FAT && magic !== FAT_64) return undefined;
  const count = big.double(4) ?? 0;
  if (count === 0 || count > MAX_ARCHITECTURES) return undefined;
  const width = WIDTH_OF_ENTRY[magic];
  return toProgramHead(Array.from({ length: count }, (_, index) => big.double(8 + index * width)));
}

function toProgramHead(processors: readonly (number | undefined)[]): ProgramHead {
  const known = processors.flatMap((processor) => PROCESSORS[processor ?? 0] ?? []);
  const [architecture] = known;
  if (architecture === undefined) return { kind: 'foreign', format: 'Mach-O' };
  const platform: Platform = `darwin/${new Set(known).size > 1 ? 'any' : architecture}`;
  return { kind: 'program', platform };
}
