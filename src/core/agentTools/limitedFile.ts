import { FleetError } from '../api/errors';
import type { ExportFile } from '../data/export/recordWriter';
import type { SpoolFactory } from '../query/results/rowStore';

/** Counts the bytes of a file, and limits them. */
export class LimitedFile implements ExportFile {
  bytes = 0;

  /** @param maxBytes number of bytes after which writes fail with FleetError `invalid` */
  constructor(
    private readonly file: ExportFile,
    private readonly maxBytes: number,
  ) {}

  write(bytes: Uint8Array): Promise<void> {
    this.count(bytes);
    return this.file.write(bytes);
  }

  rewrite(
    from: number,
    change: (content: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
  ): Promise<void> {
    this.bytes = 0;
    const count = (bytes: Uint8Array): void => this.count(bytes);
    return this.file.rewrite(from, async function* (content) {
      for await (const bytes of change(content)) {
        count(bytes);
        yield bytes;
      }
    });
  }

  /** @throws FleetError `invalid` if the file is too large */
  private count({ byteLength }: Uint8Array): void {
    this.bytes += byteLength;
    requireSize(this.bytes, this.maxBytes);
  }
}

/**
 * Limits the bytes of all temporary files, which are written before the file is.
 * @param maxBytes number of bytes after which writes fail with FleetError `invalid`
 */
export function limitSpools(spools: SpoolFactory, maxBytes: number): SpoolFactory {
  let total = 0;
  return {
    ...(spools.l10n && { l10n: spools.l10n }),
    create: async () => {
      const spool = await spools.create();
      return {
        append: async (bytes) => {
          total += bytes.byteLength;
          requireSize(total, maxBytes);
          await spool.append(bytes);
        },
        read: (from, length) => spool.read(from, length),
        dispose: () => spool.dispose(),
      };
    },
  };
}

function requireSize(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  throw new FleetError('invalid', 'The result is too large. Query fewer rows or columns.');
}
