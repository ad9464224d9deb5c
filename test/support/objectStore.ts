import { randomUUID } from 'node:crypto';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { CEPH_CREDENTIALS, CEPH_PACKAGES, CephCluster, ensureCeph } from './cephCluster';

let cluster: Promise<CephCluster> | undefined;

/** An S3 server for tests. */
export interface TestObjectStore {
  /** URL of the server with TLS. */
  readonly secureEndpoint: string;
  /** Certificate authority (PEM) of this URL. */
  readonly authority: string;
  /** Creates an empty bucket and returns its URL, with a prefix, for `--objects`. */
  createBucket(): Promise<string>;
  /** Starts an upload in parts that is never finished. */
  beginUpload(url: string, key: string): Promise<void>;
  /** Returns the number of uploads in parts that are not finished. */
  countUnfinished(url: string): Promise<number>;
  /** Stops the server. Buckets and objects remain. */
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
}

/**
 * Defines a suite that uses `objectStoreForTests`. If Ceph isn't installed and can't be installed,
 * defines nothing and warns, because skipped tests would fail the run.
 */
export function describeObjectStore(title: string, define: (this: Mocha.Suite) => void): void {
  if (ensureCeph()) {
    describe(title, define);
    return;
  }
  console.warn(
    `NOT TESTED: ${title}. To test this, install Ceph, for example on Debian: sudo apt-get install -y ` +
      CEPH_PACKAGES.join(' '),
  );
}

/**
 * Returns a real S3 server that the suites of a test process share and that stops with the process,
 * and sets the credentials for it in the environment.
 */
export async function objectStoreForTests(): Promise<TestObjectStore> {
  const server = await (cluster ??= CephCluster.start());
  Object.assign(process.env, CEPH_CREDENTIALS);
  const { endpoint } = server;
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true });
  const getBucket = (url: string) => ({ Bucket: new URL(url).hostname });
  return {
    secureEndpoint: server.secureEndpoint,
    authority: server.authority,
    async createBucket() {
      const url = `s3://fleet-${randomUUID()}/team/a?endpoint=${endpoint}`;
      await client.send(new CreateBucketCommand(getBucket(url)));
      return url;
    },
    async beginUpload(url, Key) {
      await client.send(new CreateMultipartUploadCommand({ ...getBucket(url), Key }));
    },
    async countUnfinished(url) {
      const { Uploads } = await client.send(new ListMultipartUploadsCommand(getBucket(url)));
      return Uploads?.length ?? 0;
    },
    stopServer: () => server.stopServer(),
    startServer: () => server.startServer(),
  };
}
