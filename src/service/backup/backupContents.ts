import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { getErrorCode } from '../../base/errorCode';
import { blobPath } from '../blobs/fileBlobStore';
import type { DurableCopies } from '../files/durableFiles';
import { CONTENTS_FOLDER } from '../files/dataDirectoryLayout';
import { referencedBlobs } from '../store/data/blobReferences';
import type { Store } from '../store/store';
import type { BackupFile } from './backupFolder';

const PAGE = 1000;
/**
 * Number of concurrent copy operations. The operations spend most of their time waiting for the
 * disk.
 */
const WORKERS = 8;
const PROGRESS_FILE = 'contents.partial';

/**
 * Contents of a backup that is being written. Records the copied contents in a temporary file,
 * because millions of hashes wouldn't fit into memory.
 */
export class BackupContents implements Disposable {
  private readonly progressPath: string;
  private readonly progress: DatabaseSync;
  private readonly find: StatementSync;
  private readonly save: StatementSync;
  private pass = 0;

  /**
   * @param source content folder of a service, which can be running
   * @param folder target folder for the backup
   */
  constructor(
    private readonly source: string,
    private readonly folder: string,
    private readonly copies: DurableCopies,
  ) {
    this.progressPath = join(folder, PROGRESS_FILE);
    this.progress = new DatabaseSync(this.progressPath);
    this.progress.exec(`
      pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive;
      create table contents (
        hash text primary key, last_pass integer not null, is_copied integer not null,
        misses integer not null
      ) without rowid`);
    this.find = this.progress.prepare('select is_copied, misses from contents where hash = ?');
    this.save = this.progress.prepare('insert or replace into contents values (?, ?, ?, ?)');
  }

  get count(): number {
    return this.countWhere('is_copied = 1');
  }

  /**
   * Number of contents that the last copy of the database refers to but that are missing from the
   * backup.
   */
  get unavailable(): number {
    return this.countWhere('is_copied = 0');
  }

  /**
   * Copies the missing contents that a store refers to, and removes contents that it doesn't refer
   * to.
   * @returns true if this call is the first to find that some contents are missing or don't match
   *   their hashes.
   */
  async copyReferenced(store: Store): Promise<boolean> {
    this.pass += 1;
    this.progress.exec('begin');
    const hashes = referencedHashes(store);
    const copyNext = async (): Promise<void> => {
      for await (const hash of hashes) await this.note(hash);
    };
    // Waits until all copies have finished before throwing an error, so that the cleanup doesn't
    // interfere with a running copy.
    const results = await Promise.allSettled(Array.from({ length: WORKERS }, copyNext));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    this.progress.exec('commit');
    await this.removeOthers();
    return this.countWhere('misses = 1') > 0;
  }

  /** Copied contents sorted by hash. */
  *list(): Generator<BackupFile> {
    const rows = this.progress
      .prepare('select hash from contents where is_copied = 1 order by hash')
      .iterate();
    for (const row of rows) {
      const hash = String(row.hash);
      const path = `${CONTENTS_FOLDER}/${blobPath(hash).replaceAll('\\', '/')}`;
      yield { path, sha256: hash };
    }
  }

  [Symbol.dispose](): void {
    this.progress.close();
    rmSync(this.progressPath, { force: true });
  }

  private async note(hash: string): Promise<void> {
    const known = this.find.get(hash);
    const isCopied = known?.is_copied === 1 || (await this.copy(hash));
    const misses = isCopied ? 0 : Number(known?.misses ?? 0) + 1;
    this.save.run(hash, this.pass, Number(isCopied), misses);
  }

  private async removeOthers(): Promise<void> {
    const others = this.progress
      .prepare('select hash from contents where last_pass < ? and is_copied = 1')
      .iterate(this.pass);
    for (const { hash } of others) await rm(this.getPath(String(hash)));
    this.progress.prepare('delete from contents where last_pass < ?').run(this.pass);
  }

  private async copy(hash: string): Promise<boolean> {
    const target = this.getPath(hash);
    try {
      if ((await this.copies.copy(join(this.source, blobPath(hash)), target)) === hash) return true;
    } catch (error) {
      if (getErrorCode(error) !== 'ENOENT') throw error;
    }
    await rm(target, { force: true });
    return false;
  }

  private getPath(hash: string): string {
    return join(this.folder, CONTENTS_FOLDER, blobPath(hash));
  }

  private countWhere(condition: 'is_copied = 1' | 'is_copied = 0' | 'misses = 1'): number {
    const row = this.progress
      .prepare(`select count(*) as count from contents where ${condition}`)
      .get();
    return Number(row?.count);
  }
}

async function* referencedHashes(store: Store): AsyncGenerator<string> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const page: readonly { hash: string }[] = await referencedBlobs(store, after, PAGE);
    for (const { hash } of page) yield hash;
    after = page.at(-1)?.hash;
  }
}
