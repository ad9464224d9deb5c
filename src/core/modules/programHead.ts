import type { Platform } from './platforms';

/** Type of a file according to its first bytes. */
export type ProgramHead =
  | { readonly kind: 'program'; readonly platform: Platform }
  /** Program for a platform that the registry doesn't support. */
  | { readonly kind: 'foreign'; readonly format: ProgramFormat }
  | ScriptHead
  | { readonly kind: 'unknown' };

export type ProgramFormat = 'ELF' | 'Mach-O' | 'PE';

/** Script that specifies its interpreter (`#!`). */
export interface ScriptHead {
  readonly kind: 'script';
  /** First line of the script without `#!`. */
  readonly interpreter: string;
  /**
   * True if the first line ends with a Windows line break, which makes systems look for a program
   * whose name ends in `\r`.
   */
  readonly hasCarriageReturn: boolean;
}

/**
 * Reads numbers from a program head, which can be truncated. Returns undefined for offsets beyond
 * the end.
 */
export class HeadReader {
  private readonly view: DataView;

  constructor(
    head: Uint8Array,
    private readonly isLittleEndian: boolean,
  ) {
    this.view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  }

  word(offset: number): number | undefined {
    return this.isInBounds(offset, 2)
      ? this.view.getUint16(offset, this.isLittleEndian)
      : undefined;
  }

  double(offset: number): number | undefined {
    return this.isInBounds(offset, 4)
      ? this.view.getUint32(offset, this.isLittleEndian)
      : undefined;
  }

  /** Reads a 64-bit number; returns undefined if a double can't represent it exactly. */
  quad(offset: number): number | undefined {
    if (!this.isInBounds(offset, 8)) return undefined;
    const value = Number(this.view.getBigUint64(offset, this.isLittleEndian));
    return Number.isSafeInteger(value) ? value : undefined;
  }

  private isInBounds(offset: number, bytes: number): boolean {
    return offset >= 0 && offset + bytes <= this.view.byteLength;
  }
}

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
  if (architecture === undefined || order !== LITTLE_ENDIAN || !LINUX_ABIS.has(abi)) {
    return { kind: 'foreign', format: 'ELF' };
  }
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
