import type { Platform } from '../platforms';

/** What the start of a file says of it. */
export type ProgramHead =
  | { readonly kind: 'program'; readonly platform: Platform }
  /** A program, but for a machine that the registry has no platform for. */
  | { readonly kind: 'foreign'; readonly format: ProgramFormat }
  | ScriptHead
  | { readonly kind: 'unknown' };

export type ProgramFormat = 'ELF' | 'Mach-O' | 'PE';

/** A text that names the program which runs it (`#!`). */
export interface ScriptHead {
  readonly kind: 'script';
  /** The first line without `#!`. */
  readonly interpreter: string;
  /** Its first line ends as on Windows: systems look for a program whose name ends in `\r`. */
  readonly hasCarriageReturn: boolean;
}

/** Reads numbers of a head that may be cut short. Absent where there is nothing any more. */
export class HeadReader {
  private readonly view: DataView;

  constructor(
    head: Uint8Array,
    private readonly isLittleEndian: boolean,
  ) {
    this.view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  }

  word(offset: number): number | undefined {
    return this.holds(offset, 2) ? this.view.getUint16(offset, this.isLittleEndian) : undefined;
  }

  double(offset: number): number | undefined {
    return this.holds(offset, 4) ? this.view.getUint32(offset, this.isLittleEndian) : undefined;
  }

  /** A number of 64 bits, as far as it is exact. */
  quad(offset: number): number | undefined {
    if (!this.holds(offset, 8)) return undefined;
    const value = Number(this.view.getBigUint64(offset, this.isLittleEndian));
    return Number.isSafeInteger(value) ? value : undefined;
  }

  private holds(offset: number, bytes: number): boolean {
    return offset >= 0 && offset + bytes <= this.view.byteLength;
  }
}
