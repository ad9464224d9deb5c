import { englishLocalizer, type Localizer } from '../../../base/localizer';
import { Buffer } from 'node:buffer';
import { FleetError } from '../../api/errors';

/** Approximate number of bytes to read from disk at a time. Other work can run between reads. */
const CHUNK_BYTES = 512 * 1024;
const CHUNK_ROWS = 4_096;
const FIRST_CAPACITY = 1_024;

/** Consecutive rows in memory. */
export interface RowChunk {
  readonly bytes: Buffer;
  /** Index of the first row in the result. */
  readonly first: number;
  /** Offsets of the rows in `bytes`. */
  readonly starts: readonly number[];
}

/**
 * Stores a result's rows as BSON documents in a temporary file. Keeps only their offsets in memory.
 */
export class RowStore {
  /** Offset of each row, followed by the end of the last row. */
  private offsets = new Float64Array(FIRST_CAPACITY);
  private rows = 0;

  private spool: Promise<Spool> | undefined;
  private isDisposed = false;

  constructor(private readonly spools: SpoolFactory) {}

  private get l10n(): Localizer {
    return this.spools.l10n ?? englishLocalizer;
  }

  /** Number of rows. */
  get count(): number {
    return this.rows;
  }

  /** Total size of the rows in bytes. */
  get bytes(): number {
    return this.offsets[this.rows] ?? 0;
  }

  /**
   * Starts to create the file, so that the first rows don't wait for it. `append` reports the error
   * if that fails.
   */
  prepare(): void {
    this.opened().catch(() => undefined);
  }

  /** Appends consecutive rows. @param lengths length of each row in bytes */
  async append(bytes: Uint8Array, lengths: readonly number[]): Promise<void> {
    const spool = await this.opened();
    await spool.append(bytes);
    this.reserve(this.rows + lengths.length + 1);
    let end = this.bytes;
    for (const length of lengths) {
      end += length;
      this.rows += 1;
      this.offsets[this.rows] = end;
    }
  }

  /** Yields the existing rows in an index range in chunks. */
  async *readChunks(start = 0, end = this.rows, signal?: AbortSignal): AsyncGenerator<RowChunk> {
    const last = Math.min(end, this.rows);
    for (let first = start; first < last;) {
      signal?.throwIfAborted();
      const chunkEnd = Math.min(last, first + CHUNK_ROWS);
      let next = first + 1;
      while (next < chunkEnd && this.length(first, next + 1) <= CHUNK_BYTES) next += 1;
      yield await this.read(first, next);
      first = next;
    }
  }

  /** Returns one row. @throws FleetError `notFound` if there is no row at this index. */
  row(index: number): Promise<RowChunk> {
    if (!(index >= 0 && index < this.rows)) {
      throw new FleetError('notFound', this.l10n.t('This row is no longer available.'));
    }
    return this.read(index, index + 1);
  }

  /** Returns the rows at the given indexes, in the same order. */
  async rowsAt(indexes: Uint32Array): Promise<readonly RowChunk[]> {
    const runs: [first: number, end: number][] = [];
    for (const index of indexes) {
      const run = runs.at(-1);
      if (run?.[1] === index && this.length(run[0], index + 1) <= CHUNK_BYTES) run[1] += 1;
      else runs.push([index, index + 1]);
    }
    return Promise.all(runs.map(([first, end]) => this.read(first, end)));
  }

  dispose(): void {
    this.isDisposed = true;
    this.spool?.then(
      (spool) => spool.dispose(),
      () => undefined,
    );
  }

  /**
   * Returns the file, which is created at the first use. @throws FleetError `notFound` if the file
   * was deleted.
   */
  private opened(): Promise<Spool> {
    if (this.isDisposed) {
      const message = this.l10n.t('This result is no longer available. Run the query again.');
      throw new FleetError('notFound', message);
    }
    return (this.spool ??= this.spools.create());
  }

  private async read(first: number, end: number): Promise<RowChunk> {
    const from = this.offset(first);
    const spool = await this.opened();
    const bytes = await spool.read(from, this.length(first, end));
    const starts = Array.from({ length: end - first }, (_, n) => this.offset(first + n) - from);
    return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), first, starts };
  }

  private offset(index: number): number {
    return this.offsets[index] ?? 0;
  }

  private length(first: number, end: number): number {
    return this.offset(end) - this.offset(first);
  }

  private reserve(count: number): void {
    if (count <= this.offsets.length) return;
    const larger = new Float64Array(Math.max(count, 2 * this.offsets.length));
    larger.set(this.offsets);
    this.offsets = larger;
  }
}

/** Private temporary file. */
export interface Spool {
  /** Appends bytes. */
  append(bytes: Uint8Array): Promise<void>;
  /** Reads the given number of bytes, starting at an offset. */
  read(from: number, length: number): Promise<Uint8Array>;
  /** Deletes the file. Reads in progress fail. */
  dispose(): void;
}

/** Factory for temporary files. */
export interface SpoolFactory {
  /** Translates errors about missing rows; English by default. */
  readonly l10n?: Localizer;
  create(): Promise<Spool>;
}
