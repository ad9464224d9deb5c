/** Creates small but real program headers, as toolchains write them. */

export interface ElfOptions {
  readonly machine: number;
  readonly is64?: boolean;
  readonly abi?: number;
  /** Path of the program's interpreter, which is the content of its first segment. */
  readonly linker?: string;
  readonly isBigEndian?: boolean;
}

/** ELF `e_machine` values. */
export const elfMachines = { amd64: 62, arm64: 183, arm: 40, x86: 3, mips: 8, riscv: 243 } as const;

export function elfHead(options: ElfOptions): Uint8Array {
  const { machine, is64 = true, abi = 0, linker = '', isBigEndian = false } = options;
  const head = new Uint8Array(512);
  const view = new DataView(head.buffer);
  const little = !isBigEndian;
  head.set([0x7f, 0x45, 0x4c, 0x46, is64 ? 2 : 1, little ? 1 : 2, 1, abi]);
  view.setUint16(16, 3, little);
  view.setUint16(18, machine, little);
  const [segments, segmentSize] = is64 ? [64, 56] : [52, 32];
  if (is64) view.setBigUint64(32, BigInt(segments), little);
  else view.setUint32(28, segments, little);
  view.setUint16(is64 ? 54 : 42, segmentSize, little);
  view.setUint16(is64 ? 56 : 44, 2, little);
  const second = segments + segmentSize;
  const text = new TextEncoder().encode(`${linker}\0`);
  view.setUint32(segments, 6, little);
  view.setUint32(second, 3, little);
  if (is64) {
    view.setBigUint64(second + 8, 400n, little);
    view.setBigUint64(second + 32, BigInt(text.length), little);
  } else {
    view.setUint32(second + 4, 400, little);
    view.setUint32(second + 16, text.length, little);
  }
  head.set(text, 400);
  return head;
}

/** Mach-O `cputype` values. */
export const machProcessors = { amd64: 0x01_00_00_07, arm64: 0x01_00_00_0c, power: 18 } as const;

export function machHead(processor: number, is64 = true): Uint8Array {
  const head = new Uint8Array(64);
  const view = new DataView(head.buffer);
  view.setUint32(0, is64 ? 0xfe_ed_fa_cf : 0xfe_ed_fa_ce, true);
  view.setUint32(4, processor, true);
  return head;
}

export function fatMachHead(processors: readonly number[], is64 = false): Uint8Array {
  const head = new Uint8Array(4096);
  const view = new DataView(head.buffer);
  view.setUint32(0, is64 ? 0xca_fe_ba_bf : 0xca_fe_ba_be);
  view.setUint32(4, processors.length);
  for (const [index, processor] of processors.entries()) {
    view.setUint32(8 + index * (is64 ? 32 : 20), processor);
  }
  return head;
}

/** COFF `Machine` values. */
export const portableMachines = {
  amd64: 0x86_64,
  arm64: 0xaa_64,
  x86: 0x01_4c,
  ia64: 0x02_00,
} as const;

export function portableHead(machine: number, offset = 0x80): Uint8Array {
  const head = new Uint8Array(1024);
  const view = new DataView(head.buffer);
  head.set([0x4d, 0x5a]);
  view.setUint32(0x3c, offset, true);
  if (offset + 6 <= head.length) {
    head.set([0x50, 0x45, 0, 0], offset);
    view.setUint16(offset + 4, machine, true);
  }
  return head;
}
