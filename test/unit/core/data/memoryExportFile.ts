import type { ExportFile } from '../../../../src/core/data/export/recordWriter';

/** An exported file in memory, which is read back in chunks that don't match line boundaries. */
export class MemoryExportFile implements ExportFile {
  rewritten = 0;
  private chunks: Uint8Array[] = [];

  constructor(private readonly chunkBytes = 7) {}

  get text(): string {
    return Buffer.from(this.bytes).toString('utf8');
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.chunks);
  }

  write(bytes: Uint8Array): Promise<void> {
    this.chunks.push(bytes);
    return Promise.resolve();
  }

  async rewrite(
    from: number,
    change: (content: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
  ): Promise<void> {
    this.rewritten += 1;
    const changed: Uint8Array[] = [];
    const chunks = toChunks(Buffer.concat(this.chunks).subarray(from), this.chunkBytes);
    for await (const chunk of change(chunks)) changed.push(chunk);
    this.chunks = changed;
  }
}

async function* toChunks(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) {
    yield await Promise.resolve(bytes.subarray(at, at + length));
  }
}
