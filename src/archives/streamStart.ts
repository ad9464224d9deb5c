/** Signatures at the start of a ZIP file: a first entry, or the end of an empty archive. */
const ZIP = ['PK\x03\x04', 'PK\x05\x06'];
const TAR_MAGIC = 'ustar';
const TAR_MAGIC_AT = 257;
const START_BYTES = TAR_MAGIC_AT + TAR_MAGIC.length;

/**
 * Records the first bytes of a stream that passes through. Archive parsers automatically unpack
 * nested compression, which bypasses the size limits, so the caller must detect it before the
 * parser receives the data.
 */
export class StreamStart {
  private bytes = Buffer.alloc(0);

  get isZip(): boolean {
    return ZIP.some((magic) => this.bytes.indexOf(magic, 0, 'latin1') === 0);
  }

  /** True for a tar archive, including GNU tar. Pre-POSIX archives have no signature. */
  get isTar(): boolean {
    return this.bytes.toString('latin1', TAR_MAGIC_AT) === TAR_MAGIC;
  }

  get isGzip(): boolean {
    return this.bytes[0] === 0x1f && this.bytes[1] === 0x8b;
  }

  async *of(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      const missing = START_BYTES - this.bytes.length;
      if (missing > 0) this.bytes = Buffer.concat([this.bytes, chunk.subarray(0, missing)]);
      yield chunk;
    }
  }
}
