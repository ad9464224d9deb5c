/** Shared quota of bytes on disk or in memory. */
export class ByteQuota {
  #taken = 0;

  /** @param maxBytes total number of bytes for all users. */
  constructor(private readonly maxBytes: number) {}

  /** Number of available bytes. */
  get available(): number {
    return this.maxBytes - this.#taken;
  }

  /** Reserves bytes from the quota. Returns false if not enough bytes are available. */
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
