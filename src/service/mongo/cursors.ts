import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { ByteQuota } from './memoryLease';
import { MongoError } from './mongoError';
import { type Batch, type BatchSize, ResultSpool } from './resultSpool';
import type { RunningQuery } from './commands/runningQuery';

/** Owner of a cursor. */
export interface CursorOwner {
  organizationId: string;
  /** Client session in which the cursor was opened, if specified. */
  session: string | undefined;
}

export interface CursorLimits {
  /** Maximum number of open cursors per organization, and overall. */
  perOrganization: number;
  inAll: number;
  /** Maximum size, in bytes, of a single result, and of all results together. */
  resultBytes: number;
  allBytes: number;
  /** Idle time after which a cursor is closed. */
  idleMs: number;
}

const MEBIBYTE = 1024 * 1024;

export const CURSOR_LIMITS: CursorLimits = {
  perOrganization: 200,
  inAll: 1_000,
  resultBytes: 1024 * MEBIBYTE,
  allBytes: 4 * 1024 * MEBIBYTE,
  idleMs: 600_000,
};

/** Number of bits in an ID. Every client can represent integers of this size exactly. */
const ID_BITS = 53;

interface OpenCursor extends CursorOwner {
  id: number;
  spool: ResultSpool;
  usedAt: number;
  inUse: boolean;
}

/** Query results that clients fetch in batches, from files in one directory. */
export class Cursors {
  private readonly openCursors = new Map<number, OpenCursor>();
  private readonly closing = new Set<Promise<void>>();
  private readonly room: ByteQuota;

  constructor(
    private readonly directory: string,
    private readonly limits: CursorLimits = CURSOR_LIMITS,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.room = new ByteQuota(limits.allBytes);
  }

  /** Total size of the results on disk, in bytes. */
  get bytes(): number {
    return this.room.taken;
  }

  /**
   * @throws MongoError if the organization has too many open cursors or if too many cursors are
   *   open overall.
   */
  requireRoom(organizationId: string): void {
    const own = this.which((cursor) => cursor.organizationId === organizationId).length;
    if (own >= this.limits.perOrganization || this.openCursors.size >= this.limits.inAll) {
      throw new MongoError(
        'ExceededMemoryLimit',
        `too many cursors are open (${own}): read them to the end, or close them`,
      );
    }
  }

  /**
   * Buffers a query's remaining results.
   * @param next document that was taken from the query but has not been returned yet.
   * @returns the ID that the client uses to fetch the results.
   */
  open(owner: CursorOwner, query: RunningQuery, next: Uint8Array): number {
    this.requireRoom(owner.organizationId);
    const id = this.newId();
    const spool = new ResultSpool(query, next, join(this.directory, randomUUID()), {
      room: this.room,
      maxBytes: this.limits.resultBytes,
    });
    this.openCursors.set(id, { ...owner, id, spool, usedAt: this.now(), inUse: false });
    return id;
  }

  /**
   * Returns the next documents from a cursor. Closes the cursor after the last documents or after a
   * failure.
   * @throws MongoError if the cursor doesn't exist in the organization.
   */
  async next(organizationId: string, id: number, size: BatchSize): Promise<Batch> {
    const cursor = this.openCursors.get(id);
    if (cursor?.organizationId !== organizationId) {
      throw new MongoError('CursorNotFound', `cursor id ${id} not found`);
    }
    if (cursor.inUse) throw new MongoError('IllegalOperation', `cursor id ${id} is in use`);
    cursor.inUse = true;
    try {
      const batch = await cursor.spool.next(size);
      if (!this.openCursors.has(id)) throw new MongoError('Interrupted', 'the cursor was closed');
      if (batch.isLast) await this.end([cursor]);
      return batch;
    } catch (error) {
      await this.end([cursor]);
      throw error;
    } finally {
      cursor.inUse = false;
      cursor.usedAt = this.now();
    }
  }

  /**
   * Closes one of the organization's cursors. Resolves to false if the cursor doesn't exist in the
   * organization.
   */
  async kill(organizationId: string, id: number): Promise<boolean> {
    const cursor = this.openCursors.get(id);
    if (cursor?.organizationId !== organizationId) return false;
    await this.end([cursor]);
    return true;
  }

  /** Closes all of an organization's cursors, or only those in specific sessions. */
  async closeForOrganization(
    organizationId: string,
    sessions?: ReadonlySet<string>,
  ): Promise<void> {
    await this.end(
      this.which(
        (cursor) =>
          cursor.organizationId === organizationId &&
          (sessions === undefined || sessions.has(cursor.session ?? '')),
      ),
    );
  }

  /** Closes idle cursors. */
  async endIdle(): Promise<void> {
    const oldest = this.now() - this.limits.idleMs;
    await this.end(this.which(({ inUse, usedAt }) => !inUse && usedAt < oldest));
  }

  /** Closes all cursors and removes their files. */
  async close(): Promise<void> {
    await this.end([...this.openCursors.values()]);
    await Promise.all(this.closing);
  }

  private which(isMatch: (cursor: OpenCursor) => boolean): OpenCursor[] {
    return [...this.openCursors.values()].filter(isMatch);
  }

  private async end(cursors: readonly OpenCursor[]): Promise<void> {
    const ending = cursors
      .filter(({ id }) => this.openCursors.delete(id))
      .map(({ spool }) => {
        const closing = spool.close().finally(() => this.closing.delete(closing));
        this.closing.add(closing);
        return closing;
      });
    await Promise.all(ending);
  }

  private newId(): number {
    const id = Number(BigInt.asUintN(ID_BITS, randomBytes(8).readBigUInt64LE()));
    return id === 0 || this.openCursors.has(id) ? this.newId() : id;
  }
}

/** Folder for results that clients haven't fetched yet. */
export interface CursorFolder {
  path: string;
  /** Removes the folder and its contents. */
  close(): Promise<void>;
}

const OWNER_ONLY_DIRECTORY = 0o700;
const TEMPORARY_PREFIX = 'fleetwright-cursors-';

/**
 * Opens an empty folder. Results from an earlier process are deleted, because clients can no longer
 * fetch them.
 * @param path if absent, creates a temporary folder.
 */
export async function openCursorFolder(path: string | undefined): Promise<CursorFolder> {
  const folder = path ?? (await mkdtemp(join(tmpdir(), TEMPORARY_PREFIX)));
  if (path !== undefined) {
    await rm(path, { recursive: true, force: true });
    await mkdir(path, { recursive: true, mode: OWNER_ONLY_DIRECTORY });
  }
  return { path: folder, close: () => rm(folder, { recursive: true, force: true }) };
}
