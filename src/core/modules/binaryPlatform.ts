import { readElfHead } from './programs/elfHead';
import { readMachHead } from './programs/machHead';
import { readPortableHead } from './programs/portableHead';
import type { ProgramHead } from './programs/programHead';
import { readScriptHead } from './programs/scriptHead';
import type { Platform } from './platforms';

/** Number of bytes at the start of a file that are sufficient for detecting its type. */
export const HEAD_BYTES = 4096;

/**
 * Parses the start of a program file without running anything. Supports ELF (System V gABI), Mach-O
 * (`mach-o/loader.h`, `fat.h`), and PE/COFF.
 * @param head first bytes of the file: the whole file, or `HEAD_BYTES`
 */
export function readProgramHead(head: Uint8Array): ProgramHead {
  const found =
    readElfHead(head) ?? readMachHead(head) ?? readPortableHead(head) ?? readScriptHead(head);
  return found ?? { kind: 'unknown' };
}

/**
 * Returns the platform for which a program was built. A Mach-O file for multiple architectures
 * counts as `darwin/any`. A 32-bit ARM program in ELF format counts as `arm32v7`, because its
 * header isn't more specific.
 * @returns undefined for scripts, for files that aren't programs, and for platforms that the
 *   registry doesn't support
 */
export function detectPlatform(head: Uint8Array): Platform | undefined {
  const found = readProgramHead(head);
  return found.kind === 'program' ? found.platform : undefined;
}

/** Returns true if an archive for `wanted` can contain a program for `found`. */
export function platformFits(found: Platform, wanted: Platform): boolean {
  if (found === wanted || wanted === 'any') return true;
  const [foundSystem, foundArchitecture = ''] = found.split('/');
  const [system, architecture = ''] = wanted.split('/');
  // Android also runs statically linked Linux programs, such as those written in Go.
  const fitsSystem = foundSystem === system || (foundSystem === 'linux' && system === 'android');
  return fitsSystem && fitsArchitecture(foundArchitecture, architecture);
}

function fitsArchitecture(found: string, wanted: string): boolean {
  const isArm32 = (architecture: string): boolean => architecture.startsWith('arm32');
  const isWhichever = found === 'any' || wanted === 'any';
  return isWhichever || found === wanted || (isArm32(found) && isArm32(wanted));
}
