import { Buffer } from 'node:buffer';
import { Transform, type TransformCallback } from 'node:stream';

const LINE_BREAK = 0x0a;

/**
 * Passes whole lines, and drops lines that are too long, because the transport of the protocol closes
 * the connection for them. Keeps at most one line in memory.
 */
export class LineLimit extends Transform {
  private readonly chunks: Buffer[] = [];
  private size = 0;
  private isDropping = false;

  /**
   * @param maxBytes maximum length of a line with its line break
   * @param onDropped called once for each dropped line
   */
  constructor(
    private readonly maxBytes: number,
    private readonly onDropped: () => void,
  ) {
    super();
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    for (let start = 0; start < chunk.length;) {
      const end = chunk.indexOf(LINE_BREAK, start) + 1;
      this.add(chunk.subarray(start, end || chunk.length), end > 0);
      start = end || chunk.length;
    }
    done();
  }

  private add(part: Buffer, isEnd: boolean): void {
    this.size += part.length;
    if (!this.isDropping && this.size > this.maxBytes) {
      this.isDropping = true;
      this.chunks.length = 0;
      this.onDropped();
    }
    if (!this.isDropping) this.chunks.push(part);
    if (!isEnd) return;
    if (!this.isDropping) this.push(Buffer.concat(this.chunks));
    this.chunks.length = 0;
    this.size = 0;
    this.isDropping = false;
  }
}
