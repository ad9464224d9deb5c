import { Readable } from 'node:stream';
import type { ConnectError } from '@connectrpc/connect';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { failedPrecondition, unavailable } from '../errors';
import type { ListedObject, ObjectBucket, ObjectsLocation, SignedUrlOptions } from './objectBucket';

const MEBIBYTE = 1024 * 1024;
/** Size of a part in bytes. Objects larger than 80 GiB have larger parts. */
const PART_BYTES = 8 * MEBIBYTE;
const MAX_PARTS = 10_000;
/** Number of parts of an upload that are sent at the same time. */
const CONCURRENT_PARTS = 2;
const MAX_ATTEMPTS = 3;
/** Timeouts in milliseconds. Tests use shorter ones. */
export interface S3Timeouts {
  readonly connectionMs: number;
  /** Timeout for a connection on which no bytes are sent or received. */
  readonly idleMs: number;
  /** Timeout for requests without a body until their response begins, including retries. */
  readonly shortMs: number;
  /** Shorter than the timeout after which a health check counts as failed. */
  readonly checkMs: number;
}

export interface S3BucketOptions {
  /** URL at which clients reach the server, for presigned URLs; undefined if they can't. */
  readonly publicEndpoint?: string | undefined;
  readonly timeouts?: S3Timeouts;
}

const DEFAULT_TIMEOUTS: S3Timeouts = {
  connectionMs: 5_000,
  idleMs: 10_000,
  shortMs: 15_000,
  checkMs: 4_000,
};
/** Region that servers other than AWS expect in signatures. */
const DEFAULT_REGION = 'us-east-1';

interface ErrorFields {
  name?: string;
  code?: unknown;
  $metadata?: { httpStatusCode?: number };
}

/**
 * Objects in an S3 bucket. Must be imported dynamically, so that only services with a bucket load the
 * SDK.
 */
export class S3Bucket implements ObjectBucket {
  readonly url: string;
  private readonly client: S3Client;
  /** Client that signs requests for the address of the server that clients use. */
  private readonly publicClient: S3Client | undefined;
  private readonly bucket: string;
  private readonly prefix: string;
  private readonly timeouts: S3Timeouts;

  /**
   * Credentials are those of the SDK's usual chain: the environment, the shared files, or the
   * computer's role.
   */
  constructor(
    private readonly location: ObjectsLocation,
    { publicEndpoint, timeouts = DEFAULT_TIMEOUTS }: S3BucketOptions = {},
  ) {
    this.url = location.url;
    this.bucket = location.bucket;
    this.prefix = location.prefix;
    this.timeouts = timeouts;
    this.client = createClient(location, location.endpoint, timeouts);
    this.publicClient =
      publicEndpoint === undefined ? undefined : createClient(location, publicEndpoint, timeouts);
  }

  get isPublic(): boolean {
    return this.publicClient !== undefined;
  }

  async check(): Promise<void> {
    const request = { Bucket: this.bucket, Prefix: this.prefix, MaxKeys: 1 };
    const abortSignal = AbortSignal.timeout(this.timeouts.checkMs);
    try {
      await this.client.send(new ListObjectsV2Command(request), { abortSignal });
    } catch (error) {
      const converted = this.toError(error);
      throw isRejection(error) ? failedPrecondition(converted.rawMessage) : converted;
    }
  }

  async put(key: string, body: Readable, size: number, signal?: AbortSignal): Promise<void> {
    const abortController = new AbortController();
    const abort = (): void => abortController.abort();
    signal?.addEventListener('abort', abort);
    // An error of the body would otherwise be reported as one of the server.
    let bodyError: Error | undefined;
    body.once('error', (error: Error) => (bodyError = error));
    try {
      signal?.throwIfAborted();
      await new Upload({
        client: this.client,
        params: { ...this.target(key), Body: size === 0 ? Buffer.of() : body },
        partSize: Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS)),
        queueSize: CONCURRENT_PARTS,
        abortController,
      }).done();
    } catch (error) {
      signal?.throwIfAborted();
      throw bodyError ?? this.toError(error);
    } finally {
      signal?.removeEventListener('abort', abort);
      body.destroy();
    }
  }

  async get(
    key: string,
    range?: { start: number; end: number },
  ): Promise<{ size: number; body: Readable } | undefined> {
    const Range = range && `bytes=${String(range.start)}-${String(range.end)}`;
    const request = { ...this.target(key), ...(Range === undefined ? {} : { Range }) };
    // Afterward, the idle timeout applies to the body, which can take long.
    const untilResponse = new AbortController();
    const timer = setTimeout(() => untilResponse.abort(), this.timeouts.shortMs);
    const output = await this.unlessAbsent(
      this.client.send(new GetObjectCommand(request), { abortSignal: untilResponse.signal }),
    ).finally(() => clearTimeout(timer));
    if (output === undefined) return undefined;
    const total = /\/(\d+)$/.exec(output.ContentRange ?? '')?.[1];
    const source = output.Body as Readable;
    const body = Readable.from(
      convertErrors(source, (error) => this.toError(error)),
      { objectMode: false },
    );
    // A generator that hasn't started doesn't destroy its source.
    body.once('close', () => source.destroy());
    return { size: Number(total ?? output.ContentLength), body };
  }

  async size(key: string): Promise<number | undefined> {
    const output = await this.unlessAbsent(
      this.client.send(new HeadObjectCommand(this.target(key)), this.createShortTimeout()),
      // Its responses have no body with a more specific reason.
      'NotFound',
    );
    return output?.ContentLength;
  }

  async signUrl(key: string, options: SignedUrlOptions): Promise<string> {
    const { contentType, contentDisposition, cacheControl, expiresIn } = options;
    const command = new GetObjectCommand({
      ...this.target(key),
      ResponseContentType: contentType,
      ResponseContentDisposition: contentDisposition,
      ResponseCacheControl: cacheControl,
    });
    try {
      return await getSignedUrl(this.publicClient ?? this.client, command, { expiresIn });
    } catch (error) {
      throw this.toError(error);
    }
  }

  async remove(key: string): Promise<void> {
    await this.unlessAbsent(
      this.client.send(new DeleteObjectCommand(this.target(key)), this.createShortTimeout()),
    );
  }

  async *list(prefix = ''): AsyncGenerator<ListedObject> {
    const request = { Bucket: this.bucket, Prefix: this.prefix + prefix };
    for (let token: string | undefined = ''; token !== undefined;) {
      const page: ListObjectsV2CommandOutput = await this.client
        .send(
          new ListObjectsV2Command({
            ...request,
            ...(token === '' ? {} : { ContinuationToken: token }),
          }),
          this.createShortTimeout(),
        )
        .catch((error: unknown) => {
          throw this.toError(error);
        });
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
        yield { key: Key.slice(this.prefix.length), size: Size, modifiedAt: LastModified };
      }
      token = page.NextContinuationToken;
    }
  }

  async removeUnfinished(startedBefore: Date): Promise<void> {
    const request = { Bucket: this.bucket, Prefix: this.prefix };
    try {
      for (let isLast = false, markers = {}; !isLast;) {
        const page = await this.client.send(
          new ListMultipartUploadsCommand({ ...request, ...markers }),
        );
        for (const { Key, UploadId, Initiated = startedBefore } of page.Uploads ?? []) {
          if (Initiated >= startedBefore) continue;
          await this.client.send(
            new AbortMultipartUploadCommand({ Bucket: this.bucket, Key, UploadId }),
          );
        }
        markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
        isLast = page.IsTruncated !== true;
      }
    } catch (error) {
      throw this.toError(error);
    }
  }

  close(): void {
    this.client.destroy();
    this.publicClient?.destroy();
  }

  private createShortTimeout(): { abortSignal: AbortSignal } {
    return { abortSignal: AbortSignal.timeout(this.timeouts.shortMs) };
  }

  private toError(error: unknown): ConnectError {
    return toObjectStoreError(this.location, error);
  }

  private target(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: this.prefix + key };
  }

  /** Other 404 responses are those of a misconfigured proxy or server. */
  private async unlessAbsent<T>(
    response: Promise<T>,
    reason = 'NoSuchKey',
  ): Promise<T | undefined> {
    try {
      return await response;
    } catch (error) {
      const { name, $metadata } = error as ErrorFields;
      if ($metadata?.httpStatusCode === 404 && name === reason) return undefined;
      throw this.toError(error);
    }
  }
}

function createClient(
  { endpoint, region, usesPathStyle }: ObjectsLocation,
  usedEndpoint: string | undefined,
  { connectionMs, idleMs }: S3Timeouts,
): S3Client {
  const usedRegion = region ?? (endpoint === undefined ? undefined : DEFAULT_REGION);
  return new S3Client({
    ...(usedEndpoint === undefined ? {} : { endpoint: usedEndpoint }),
    ...(usedRegion === undefined ? {} : { region: usedRegion }),
    forcePathStyle: usesPathStyle,
    maxAttempts: MAX_ATTEMPTS,
    // Servers other than AWS don't know the newer checksums. The signature covers the SHA-256 of
    // each part, and readers compare the SHA-256 of the content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectionMs,
      socketTimeout: idleMs,
    },
  });
}

async function* convertErrors(
  source: Readable,
  toError: (error: unknown) => Error,
): AsyncGenerator<Uint8Array> {
  try {
    yield* source as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw toError(error);
  }
}

/** Errors that mean that the server received the request but doesn't accept its credentials. */
const REJECTED =
  /^(AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|InvalidToken|CredentialsProviderError|TokenProviderError|Forbidden|403)$/;

/** Statuses below 500 of servers that are overloaded. */
const OVERLOADED: readonly number[] = [408, 429];

/** Returns true if another attempt fails in the same way until someone changes something. */
function isRejection(error: unknown): boolean {
  const { name = '', $metadata } = error as ErrorFields;
  const status = $metadata?.httpStatusCode ?? 0;
  return REJECTED.test(name) || (status >= 400 && status < 500 && !OVERLOADED.includes(status));
}

/** Converts an error from the SDK to `Unavailable` with a message that says what to check. */
function toObjectStoreError({ bucket, endpoint }: ObjectsLocation, error: unknown): ConnectError {
  const { name, code, $metadata } = error as ErrorFields;
  const status = $metadata?.httpStatusCode;
  const isNamed = name !== undefined && name !== 'Error' && name !== 'Unknown';
  const reason =
    typeof code === 'string'
      ? code
      : isNamed
        ? name.replace(/^(AbortError|TimeoutError)$/, 'no response')
        : String(status ?? (error as Error).message);
  const advice = (): string => {
    if (REJECTED.test(reason) || status === 403) {
      return `check the credentials and their permissions for the bucket "${bucket}"`;
    }
    if (reason === 'NoSuchBucket') return `check that the bucket "${bucket}" exists`;
    if (status === 507 || reason === 'QuotaExceeded') return 'check the quota of the bucket';
    return `check that ${endpoint ?? 'the S3 service of the region'} is running and reachable`;
  };
  const converted = unavailable(
    `the object store of the fleet service failed (${reason}): try again later; its operator must ${advice()}`,
  );
  converted.cause = error;
  return converted;
}
