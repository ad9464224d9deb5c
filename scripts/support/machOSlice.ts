/** First four bytes of a file for multiple architectures, which is always big-endian. */
const fatMagic = 0xcafebabe;
const fatMagic64 = 0xcafebabf;
/** First four bytes of a file for one 64-bit architecture, which is little-endian. */
const thinMagic = 0xfeedfacf;

/** Mach-O CPU types of the architectures that VS Code supports. */
const cpuTypes = { x64: 0x0100_0007, arm64: 0x0100_000c } as const;

export type MachOArchitecture = keyof typeof cpuTypes;

interface Slice {
  cpuType: number;
  offset: number;
  size: number;
}

function slices(file: Buffer): Slice[] {
  const wide = file.readUInt32BE(0) === fatMagic64;
  return Array.from({ length: file.readUInt32BE(4) }, (_, index) => {
    const entry = 8 + index * (wide ? 32 : 20);
    const field = (position: number): number =>
      wide
        ? Number(file.readBigUInt64BE(entry + 8 + position * 8))
        : file.readUInt32BE(entry + 8 + position * 4);
    return { cpuType: file.readUInt32BE(entry), offset: field(0), size: field(1) };
  });
}

function isThin(file: Buffer, cpuType: number): boolean {
  return file.readUInt32LE(0) === thinMagic && file.readUInt32LE(4) === cpuType;
}

/**
 * Extracts the code for one architecture from a Mach-O file, like `lipo -thin`. A universal file is
 * a concatenation of complete files, one for each architecture, each with its own code signature. A
 * file that contains only the given architecture is returned unchanged.
 *
 * @throws Error if the file isn't a 64-bit Mach-O file, is truncated, or doesn't contain the
 *   architecture
 */
export function machOSlice(file: Buffer, architecture: MachOArchitecture): Buffer {
  const cpuType = cpuTypes[architecture];
  if (isThin(file, cpuType)) return file;
  const magic = file.readUInt32BE(0);
  if (magic !== fatMagic && magic !== fatMagic64) {
    throw new Error(`This is no Mach-O file for ${architecture}.`);
  }
  const found = slices(file).find((slice) => slice.cpuType === cpuType);
  const code = found && file.subarray(found.offset, found.offset + found.size);
  if (code?.length !== found?.size || code === undefined || !isThin(code, cpuType)) {
    throw new Error(`This universal Mach-O file holds no code for ${architecture}.`);
  }
  return code;
}
