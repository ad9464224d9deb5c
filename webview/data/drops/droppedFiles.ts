import type { DataProtocol } from '../../../src/shared/data/dataProtocol';
import { DROPPED_CHUNK_BYTES, type FileRequest } from '../../../src/shared/data/drops';
import type { HostConnection } from '../../messaging/hostConnection';

/**
 * Stores dropped files for the host, which can't read them itself, and sends the files that it
 * requests.
 */
export class DroppedFiles {
  private readonly drops = new Map<number, readonly File[]>();
  private last = 0;

  /**
   * Stores the files in a drop.
   * @returns the ID of the drop.
   */
  add(files: readonly File[]): number {
    this.last += 1;
    this.drops.set(this.last, files);
    return this.last;
  }

  release(drop: number): void {
    this.drops.delete(drop);
  }

  /**
   * Sends a file in chunks. Each chunk is sent only after the host has processed the previous
   * chunk.
   */
  async send(host: HostConnection<DataProtocol>, { read, drop, file }: FileRequest): Promise<void> {
    try {
      const source = this.drops.get(drop)?.[file];
      if (!source) throw new Error('It was dropped too long ago.');
      for (let start = 0; start < source.size; start += DROPPED_CHUNK_BYTES) {
        const bytes = await source.slice(start, start + DROPPED_CHUNK_BYTES).arrayBuffer();
        const { more } = await host.request('dropBytes', { read, bytes });
        if (!more) return;
      }
      host.send('dropEnd', { read });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      host.send('dropFailed', { read, reason });
    }
  }
}
