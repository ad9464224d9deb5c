import { readElfHead } from './programs/elfHead';
import { readMachHead } from './programs/machHead';
import { readPortableHead } from './programs/portableHead';
import type { ProgramHead } from './programs/programHead';
import { readScriptHead } from './programs/scriptHead';
import type { Platform } from './platforms';

/** As much of the start of a file is enough to know what it is. */
export const HEAD_BYTES = 4096;

/**
 * What the start of a file says of it. Nothing is run and no tool is asked; the formats are those of
 * ELF (System V gABI), Mach-O (`mach-o/loader.h`, `fat.h`) and PE/COFF.
 * @param head the first bytes of the file: all of it, or `HEAD_BYTES`
 */
export function readProgramHead(head: Uint8Array): ProgramHead {
  const found =
    readElfHead(head) ?? readMachHead(head) ?? readPortableHead(head) ?? readScriptHead(head);
  return found ?? { kind: 'unknown' };
}

/**
 * The platform that a program was made for. A Mach-O file for several architectures is for
 * `darwin/any`; 32-bit ARM programs of ELF count as `arm32v7`, since their header does not tell more.
 * @returns undefined for scripts, for what is no program, and for platforms the registry has none for.
 */
export function platformOfBinary(head: Uint8Array): Platform | undefined {
  const found = readProgramHead(head);
  return found.kind === 'program' ? found.platform : undefined;
}

/** Whether an archive for `wanted` may hold a program for `found`. */
export function platformFits(found: Platform, wanted: Platform): boolean {
  if (found === wanted || wanted === 'any') return true;
  const [foundSystem, foundArchitecture = ''] = found.split('/');
  const [system, architecture = ''] = wanted.split('/');
  // Android runs programs of Linux that bring along what they need, as those of Go do.
  const isOfSystem = foundSystem === system || (foundSystem === 'linux' && system === 'android');
  return isOfSystem && fitsArchitecture(foundArchitecture, architecture);
}

function fitsArchitecture(found: string, wanted: string): boolean {
  const isArm32 = (architecture: string): boolean => architecture.startsWith('arm32');
  const isWhichever = found === 'any' || wanted === 'any';
  return isWhichever || found === wanted || (isArm32(found) && isArm32(wanted));
}
