import type { Platform } from '../platforms';

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
 * Reads numbers from a head that can be truncated. Returns undefined for offsets beyond the end.
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
