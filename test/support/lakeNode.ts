import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize } from 'bson';
import { BlobCollector } from '../../src/service/blobs/blobCollector';
import { type ObjectBlobStore, openObjectBlobStore } from '../../src/service/blobs/objectBlobStore';
import { ReadingsLake } from '../../src/service/lake/readingsLake';
import { type ObjectBucket, parseObjectsUrl } from '../../src/service/objects/objectBucket';
import { openObjectBucket } from '../../src/service/objects/openObjectBucket';
import type { JobRunner, ReadingsFiles } from '../../src/service/query/queryJob';
import type { Store } from '../../src/service/store/store';
import { silentLogger } from './silentLogger';

export interface LakeNodeOptions {
  store: Store;
  /** URL of the bucket. */
  url: string;
  runner: JobRunner;
  runsJobs?: boolean;
  leaseMs?: number;
  cacheBytes?: number;
  /** Number of days after which readings leave the records. The time is always 1970. */
  hotDays?: number;
}

/** The lake of one of several services that share records and a bucket, with its own cache. */
export class LakeNode implements AsyncDisposable {
  private constructor(
    readonly lake: ReadingsLake,
    readonly bucket: ObjectBucket,
    readonly blobs: ObjectBlobStore,
    /** Collector without a grace period, which runs only when a test calls it. */
    readonly collector: BlobCollector,
    private readonly runner: JobRunner,
    readonly folder: string,
  ) {}

  static async open({
    store,
    url,
    runner,
    runsJobs = true,
    leaseMs,
    cacheBytes = 2 ** 30,
    hotDays,
  }: LakeNodeOptions): Promise<LakeNode> {
    const location = parseObjectsUrl(url);
    assert.ok(typeof location === 'object');
    const bucket = await openObjectBucket(location);
    const folder = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    const blobs = await openObjectBlobStore({
      bucket,
      cacheDirectory: join(folder, 'cache'),
      cacheBytes,
    });
    const delay = { graceMs: 0, now: () => 0, logger: silentLogger };
    const collector = new BlobCollector(store, blobs, true, delay);
    const lake = await ReadingsLake.open({
      store,
      runner,
      runsJobs,
      logger: silentLogger,
      directory: join(folder, 'lake'),
      contents: { blobs, collector },
      hotDays,
      now: () => 0,
      ...(leaseMs === undefined ? {} : { leaseMs }),
    });
    return new LakeNode(lake, bucket, blobs, collector, runner, folder);
  }

  /** Returns the sorted numbers in an organization's readings; asserts that each exists once. */
  async numbers(organizationId: string): Promise<number[]> {
    await using snapshot = await this.lake.snapshot(organizationId, { recent: false });
    return await this.numbersIn(snapshot.readings);
  }

  async numbersIn(readings: ReadingsFiles): Promise<number[]> {
    const numbers: number[] = [];
    const sql = 'select data.n as n from readings order by 1';
    for await (const document of this.runner.run({ kind: 'sql', sql, readings })) {
      numbers.push(Number(deserialize(document).n));
    }
    assert.equal(new Set(numbers).size, numbers.length, 'a reading is there twice');
    return numbers;
  }

  /** Returns the keys of all objects in the bucket. */
  async listKeys(): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of this.bucket.list()) keys.push(key);
    return keys;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lake.close();
    await this.collector.close();
    await this.blobs.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
