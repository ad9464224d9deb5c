import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { pipeline, type Readable, Transform } from 'node:stream';
import type { BlobKey } from './blobStore';

const MAX_VERDICTS = 10_000;

/** Error thrown when a blob's file doesn't contain the stored bytes. */
export class DamagedBlobError extends Error {
  override readonly name = 'DamagedBlobError';

  /** @param problem problem that completes the sentence "the content is damaged: …". */
  constructor(readonly problem: string) {
    super(`a blob is damaged: ${problem}`);
  }
}

/** @throws DamagedBlobError if the actual size differs from the blob's recorded size. */
export function requireSize({ size }: BlobKey, actual: number): void {
  if (actual !== size) {
    throw new DamagedBlobError(`it has ${String(actual)} bytes instead of ${String(size)}`);
  }
}

/** @throws DamagedBlobError if the digest doesn't match the blob's hash. */
export function requireDigest({ hash }: BlobKey, digest: string): void {
  if (digest !== hash) throw new DamagedBlobError('its bytes were changed');
}

/** Identifier of a file version. It changes with every write through the file system. */
type FileVersion = string;

interface Verdict {
  readonly version: FileVersion;
  /** Rejects with `DamagedBlobError` if the file is damaged. */
  readonly check: Promise<void>;
}

/** Verifies the digests of blobs, and caches the result until a file changes. */
export class BlobChecks {
  private readonly verdicts = new Map<string, Verdict>();

  /**
   * Checks the size of a file. Also checks its digest if this version of the file has already been
   * read.
   * @throws DamagedBlobError
   */
  async requireUndamaged(blob: BlobKey, file: FileHandle): Promise<FileVersion> {
    const { ino, size, mtimeNs, ctimeNs } = await file.stat({ bigint: true });
    requireSize(blob, Number(size));
    const version = [ino, mtimeNs, ctimeNs].join(' ');
    const known = this.verdicts.get(blob.hash);
    if (known?.version === version) await known.check;
    return version;
  }

  /**
   * Reads a whole blob, unless this version of its file has already been read. Concurrent callers
   * share one read.
   * @throws DamagedBlobError
   */
  async requireDigest(blob: BlobKey, version: FileVersion, read: () => Readable): Promise<void> {
    const known = this.verdicts.get(blob.hash);
    if (known?.version === version) return known.check;
    const check = computeDigest(read()).then((digest) => {
      requireDigest(blob, digest);
    });
    this.remember(blob, { version, check });
    check.catch((error: unknown) => {
      if (!(error instanceof DamagedBlobError)) this.verdicts.delete(blob.hash);
    });
    await check;
  }

  /**
   * Returns a stream of a blob's bytes. The last chunk is sent only if the digest is correct.
   * Otherwise, the stream fails with `DamagedBlobError`.
   */
  verifyStream(blob: BlobKey, version: FileVersion, bytes: Readable): Readable {
    const digest = createHash('sha256');
    let last: Uint8Array | undefined;
    const checked = new Transform({
      transform(chunk: Uint8Array, _encoding, done) {
        digest.update(chunk);
        const previous = last;
        last = chunk;
        done(null, previous);
      },
      flush: (done) => {
        try {
          requireDigest(blob, digest.digest('hex'));
          this.remember(blob, { version, check: Promise.resolve() });
          done(null, last);
        } catch (error) {
          const damage = error as DamagedBlobError;
          const check = Promise.reject(damage);
          check.catch(() => undefined);
          this.remember(blob, { version, check });
          done(damage);
        }
      },
    });
    // The error is passed to the reader of the result.
    pipeline(bytes, checked, () => undefined);
    return checked;
  }

  private remember({ hash }: BlobKey, verdict: Verdict): void {
    this.verdicts.delete(hash);
    this.verdicts.set(hash, verdict);
    if (this.verdicts.size > MAX_VERDICTS) {
      const [oldest = ''] = this.verdicts.keys();
      this.verdicts.delete(oldest);
    }
  }
}

async function computeDigest(bytes: Readable): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of bytes) digest.update(chunk as Uint8Array);
  return digest.digest('hex');
}
