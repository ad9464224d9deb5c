/**
 * Knows the first bytes of a stream that passes by. Parsers of archives unpack by themselves what is packed
 * once more, which nobody counts: they must not see the second byte of that.
 */
export class StreamStart {
  private bytes = new Uint8Array(0);

  get isGzip(): boolean {
    return this.bytes[0] === 0x1f && this.bytes[1] === 0x8b;
  }

  async *of(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of stream) {
      if (this.bytes.length < 2) this.bytes = Buffer.concat([this.bytes, piece.subarray(0, 2)]);
      yield piece;
    }
  }
}
