/** A number of bytes, on disk or in memory, that several share. */
export class ByteQuota {
  #taken = 0;

  /** @param maxBytes for all together. */
  constructor(private readonly maxBytes: number) {}

  /** How many bytes can be taken. */
  get available(): number {
    return this.maxBytes - this.#taken;
  }

  /** Takes bytes, or returns false when there are not enough. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.maxBytes) {
      return false;
    }
    this.#taken += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#taken -= bytes;
  }
}
