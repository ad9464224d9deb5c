import {
  CopyObjectCommand,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  type ObjectVersion,
  PutBucketVersioningCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { objectStoreForTests } from './objectStore';

/** Bucket whose deleted and replaced objects can be restored. */
export class VersionedBucket {
  private constructor(
    private readonly client: S3Client,
    /** URL of the bucket, with a prefix, for `--objects`. */
    readonly url: string,
  ) {}

  static async create(): Promise<VersionedBucket> {
    const url = await (await objectStoreForTests()).createBucket();
    const endpoint = new URL(url).searchParams.get('endpoint') ?? '';
    const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true });
    const bucket = new VersionedBucket(client, url);
    await client.send(
      new PutBucketVersioningCommand({
        Bucket: bucket.name,
        VersioningConfiguration: { Status: 'Enabled' },
      }),
    );
    return bucket;
  }

  /** Deletes all objects, but not their versions. Returns the number of objects. */
  async deleteAll(): Promise<number> {
    const current = (await this.listVersions()).filter(({ IsLatest }) => IsLatest);
    for (const { Key } of current) {
      await this.client.send(new DeleteObjectCommand({ Bucket: this.name, Key }));
    }
    return current.length;
  }

  /**
   * Copies the objects that existed at a time to another prefix, like the operator who restores them.
   * @returns the URL of the copy.
   */
  async restore(time: Date, prefix: string): Promise<string> {
    const copies = new Map<string, ObjectVersion>();
    for (const version of await this.listVersions()) {
      const { Key = '', LastModified } = version;
      const newest = copies.get(Key)?.LastModified;
      if (LastModified === undefined || LastModified > time) continue;
      if (newest === undefined || newest < LastModified) copies.set(Key, version);
    }
    for (const [key, { VersionId = '' }] of copies) {
      const source = `${this.name}/${encodeURIComponent(key)}?versionId=${VersionId}`;
      const target = prefix + key.slice(this.prefix.length);
      await this.client.send(
        new CopyObjectCommand({ Bucket: this.name, CopySource: source, Key: target }),
      );
    }
    const url = new URL(this.url);
    url.pathname = `/${prefix}`;
    return url.href;
  }

  private get name(): string {
    return new URL(this.url).hostname;
  }

  private get prefix(): string {
    return new URL(this.url).pathname.slice(1);
  }

  private async listVersions(): Promise<ObjectVersion[]> {
    const versions: ObjectVersion[] = [];
    let next: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } = {};
    for (;;) {
      const page = await this.client.send(
        new ListObjectVersionsCommand({ Bucket: this.name, Prefix: this.prefix, ...next }),
      );
      versions.push(...(page.Versions ?? []));
      if (page.IsTruncated !== true) return versions;
      next = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker };
    }
  }
}
