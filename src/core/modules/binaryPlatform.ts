import { HeadReader, type ProgramHead, readElfHead, type ScriptHead } from './programHead';
import type { Platform } from './platforms';

/** Number of bytes at the start of a file needed to detect its type. */
export const HEAD_BYTES = 4096;

/**
 * Parses the start of a program file without running anything. Supports ELF (System V gABI), Mach-O
 * (`mach-o/loader.h`, `fat.h`), and PE/COFF. A Mach-O file for multiple architectures counts as
 * `darwin/any`. A 32-bit ARM program in ELF format counts as `arm32v7`, because its header isn't
 * more specific.
 * @param head first bytes of the file: the whole file, or `HEAD_BYTES`
 */
export function readProgramHead(head: Uint8Array): ProgramHead {
  const found =
    readElfHead(head) ?? readMachHead(head) ?? readPortableHead(head) ?? readScriptHead(head);
  return found ?? { kind: 'unknown' };
}

/** Returns true if an archive for `required` can contain a program for `actual`. */
export function platformFits(actual: Platform, required: Platform): boolean {
  if (actual === required || required === 'any') return true;
  const [foundSystem, foundArchitecture = ''] = actual.split('/');
  const [system, architecture = ''] = required.split('/');
  // Android also runs statically linked Linux programs, such as those written in Go.
  const fitsSystem = foundSystem === system || (foundSystem === 'linux' && system === 'android');
  return fitsSystem && fitsArchitecture(foundArchitecture, architecture);
}

function fitsArchitecture(actual: string, required: string): boolean {
  const isArm32 = (architecture: string): boolean => architecture.startsWith('arm32');
  const isWhichever = actual === 'any' || required === 'any';
  return isWhichever || actual === required || (isArm32(actual) && isArm32(required));
}

/** Maximum number of bytes that operating systems read from the first line of a script. */
const MAX_LINE_LENGTH = 256;

/**
 * Parses the head of a script that specifies its interpreter; returns undefined for other files.
 */
function readScriptHead(head: Uint8Array): ScriptHead | undefined {
  if (head[0] !== 0x23 || head[1] !== 0x21) return undefined;
  const [line = ''] = new TextDecoder().decode(head.subarray(2, MAX_LINE_LENGTH)).split('\n');
  return {
    kind: 'script',
    interpreter: line.trim(),
    hasCarriageReturn: line.endsWith('\r'),
  };
}

const DOS_MAGIC = 0x5a_4d;
const HEADER_OFFSET_POSITION = 0x3c;
const MAGIC = 0x00_00_45_50;

/** Architectures by `Machine` in the COFF header. */
const MACHINES: Readonly<Record<number, 'amd64' | 'arm64' | 'arm32v7' | '386'>> = {
  0x86_64: 'amd64',
  0xaa_64: 'arm64',
  0x01_c4: 'arm32v7',
  0x01_4c: '386',
};

/** Parses the head of a PE file for Windows; returns undefined for other files. */
function readPortableHead(head: Uint8Array): ProgramHead | undefined {
  const reader = new HeadReader(head, true);
  const header = reader.double(HEADER_OFFSET_POSITION);
  if (reader.word(0) !== DOS_MAGIC || header === undefined) return undefined;
  if (reader.double(header) !== MAGIC) return undefined;
  const architecture = MACHINES[reader.word(header + 4) ?? 0];
  return architecture === undefined
    ? { kind: 'foreign', format: 'PE' }
    : { kind: 'program', platform: `windows/${architecture}` };
}

const THIN: ReadonlySet<number | undefined> = new Set([0xfe_ed_fa_ce, 0xfe_ed_fa_cf]);
const FAT = 0xca_fe_ba_be;
const FAT_64 = 0xca_fe_ba_bf;
/**
 * Maximum number of architectures. Java class files start with the same four bytes, followed by a
 * version number that is far greater than this limit.
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
function readMachHead(head: Uint8Array): ProgramHead | undefined {
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
