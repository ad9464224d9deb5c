import type { Platform } from '../platforms';
import { HeadReader, type ProgramHead } from './programHead';

const MAGIC = 0x7f_45_4c_46;
const CLASS_32 = 1;
const CLASS_64 = 2;
const LITTLE_ENDIAN = 1;
/** ABIs that toolchains use for Linux and Android: System V, GNU/Linux, and ARM. */
const LINUX_ABIS: ReadonlySet<number | undefined> = new Set([0, 3, 97]);
const INTERPRETER_SEGMENT = 3;
const MAX_SEGMENTS = 64;

/** Architectures by `e_machine` and class. */
const MACHINES: Readonly<Record<string, 'amd64' | 'arm64' | 'arm32v7' | '386'>> = {
  [`62/${String(CLASS_64)}`]: 'amd64',
  [`183/${String(CLASS_64)}`]: 'arm64',
  [`40/${String(CLASS_32)}`]: 'arm32v7',
  [`3/${String(CLASS_32)}`]: '386',
};

/** Parses the head of an ELF file for Linux or Android; returns undefined for other files. */
export function readElfHead(head: Uint8Array): ProgramHead | undefined {
  if (new HeadReader(head, false).double(0) !== MAGIC) return undefined;
  const [wide, order, abi] = [head[4], head[5], head[7]];
  const reader = new HeadReader(head, order === LITTLE_ENDIAN);
  const architecture = MACHINES[`${String(reader.word(18))}/${String(wide)}`];
  if (architecture === undefined || order !== LITTLE_ENDIAN || !LINUX_ABIS.has(abi))
    return { kind: 'foreign', format: 'ELF' };
  const system = isForAndroid(head, reader, wide === CLASS_64) ? 'android' : 'linux';
  const platform: Platform = `${system}/${architecture}`;
  return { kind: 'program', platform };
}

/** Returns true for Android programs, which specify Android's own dynamic linker. */
function isForAndroid(head: Uint8Array, reader: HeadReader, isWide: boolean): boolean {
  const start = isWide ? reader.quad(32) : reader.double(28);
  const size = reader.word(isWide ? 54 : 42) ?? 0;
  const count = Math.min(reader.word(isWide ? 56 : 44) ?? 0, MAX_SEGMENTS);
  if (start === undefined) return false;
  for (let index = 0; index < count; index += 1) {
    const segment = start + index * size;
    if (reader.double(segment) !== INTERPRETER_SEGMENT) continue;
    const offset = isWide ? reader.quad(segment + 8) : reader.double(segment + 4);
    const bytes = isWide ? reader.quad(segment + 32) : reader.double(segment + 16);
    if (offset === undefined || bytes === undefined) return false;
    const name = new TextDecoder().decode(head.subarray(offset, offset + bytes));
    return name.startsWith('/system/bin/linker');
  }
  return false;
}
