import { Disposable } from '../../../../base/disposable';
import { FleetError } from '../../../../core/api/errors';
import { type FileSource, ChunkChannel } from '../../../../core/data/uploads/fileSource';
import { MICROS_PER_MILLISECOND } from '../../../../core/model/timestamp';
import type { DroppedFile, dropMessages, FileRequest } from '../../../../shared/data/drops';
import type { HostHandlers } from '../../../../shared/protocol';

/** User-facing messages for dropped files that can't be read. */
export interface DropMessages {
  /** The page with the file no longer exists. */
  readonly gone: (path: string) => string;
  readonly unreadable: (path: string, reason: string) => string;
  readonly changed: (path: string) => string;
}

type ReadHandlers = Pick<HostHandlers<typeof dropMessages>, 'dropBytes' | 'dropEnd' | 'dropFailed'>;

interface Running {
  readonly bytes: ChunkChannel;
  readonly path: string;
}

/**
 * Reads dropped files through the page that has them, chunk by chunk and only as fast as the caller
 * consumes them.
 */
export class DroppedReads extends Disposable {
  private readonly running = new Map<number, Running>();
  private last = 0;
  /**
   * Number of pages so far. A new page restarts the drop numbers and doesn't have the earlier
   * files.
   */
  private page = 0;

  constructor(
    private readonly requestFile: (file: FileRequest) => void,
    private readonly messages: DropMessages,
  ) {
    super();
    this.register({ dispose: () => this.pageClosed() });
  }

  /** Handles the page being unloaded with all its files, for example because its tab was hidden. */
  pageClosed(): void {
    this.page += 1;
    for (const { bytes, path } of this.running.values()) {
      bytes.close({ failure: new FleetError('unavailable', this.messages.gone(path)) });
    }
  }

  /** Returns a dropped file as a source for uploads. */
  source(drop: number, index: number, file: DroppedFile): FileSource {
    const { path, sizeBytes: size, modifiedAt } = file;
    const { page } = this;
    return {
      path,
      size,
      modifiedAt: Math.floor(modifiedAt) * MICROS_PER_MILLISECOND,
      read: (signal) => this.read({ drop, file: index, page }, { path, size }, signal),
    };
  }

  handlers(): ReadHandlers {
    return {
      dropBytes: async ({ read, bytes }) => {
        const more = await this.running.get(read)?.bytes.write(new Uint8Array(bytes));
        return { more: more ?? false };
      },
      dropEnd: ({ read }) => this.running.get(read)?.bytes.close(),
      dropFailed: ({ read, reason }) => {
        const running = this.running.get(read);
        if (!running) return;
        const message = this.messages.unreadable(running.path, reason);
        running.bytes.close({ failure: new FleetError('invalid', message) });
      },
    };
  }

  private async *read(
    { drop, file, page }: { readonly drop: number; readonly file: number; readonly page: number },
    { path, size }: Pick<FileSource, 'path' | 'size'>,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    if (page !== this.page) throw new FleetError('unavailable', this.messages.gone(path));
    this.last += 1;
    const read = this.last;
    const bytes = new ChunkChannel();
    this.running.set(read, { bytes, path });
    try {
      this.requestFile({ read, drop, file });
      let total = 0;
      for await (const chunk of bytes.take(signal)) {
        total += chunk.length;
        yield chunk;
      }
      if (total !== size) throw new FleetError('conflict', this.messages.changed(path));
    } finally {
      this.running.delete(read);
    }
  }
}
