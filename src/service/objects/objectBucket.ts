import type { Readable } from 'node:stream';
import { unavailable } from '../errors';

/** Location of objects in an S3 bucket. It contains no credentials. */
export interface ObjectsLocation {
  bucket: string;
  /** Prefix of all keys: empty, or ending with a slash. */
  prefix: string;
  /** URL of the server; undefined for AWS. */
  endpoint: string | undefined;
  /** Region; undefined for the one in the environment. */
  region: string | undefined;
  /** True if the bucket is in the path of requests instead of their host name. */
  usesPathStyle: boolean;
  /** URL that `parseObjectsUrl` parses to this location. */
  url: string;
}

/** An object in a bucket. */
export interface ListedObject {
  /** Key without the location's prefix. */
  readonly key: string;
  readonly size: number;
  readonly modifiedAt: Date;
}

/**
 * Objects below a prefix of a bucket. A server must list and return an object as soon as its upload
 * is acknowledged, and must not return it after its deletion is acknowledged, as S3 does. All
 * methods reject with `Unavailable` if the server doesn't respond or rejects the request.
 */
export interface ObjectBucket {
  readonly url: string;
  /**
   * Uploads an object, in parts if it is large, with the memory of a few parts. The object doesn't
   * exist until all of its bytes have been received. An existing object is replaced.
   * @throws errors from the stream, or the signal's reason.
   */
  put(key: string, body: Readable, size: number, signal?: AbortSignal): Promise<void>;
  /**
   * Opens a stream of an object's bytes or of a range, whose end is inclusive. The size is that of
   * the whole object.
   * @returns undefined if the object doesn't exist.
   */
  get(
    key: string,
    range?: { start: number; end: number },
  ): Promise<{ size: number; body: Readable } | undefined>;
  /** Returns an object's size in bytes; undefined if it doesn't exist. */
  size(key: string): Promise<number | undefined>;
  /** Deletes an object; does nothing if it doesn't exist. */
  remove(key: string): Promise<void>;
  /** Lists the objects whose keys begin with a prefix, or all objects, in the order of their keys. */
  list(prefix?: string): AsyncIterable<ListedObject>;
  /** Deletes the parts of uploads that were started before a time and never finished. */
  removeUnfinished(startedBefore: Date): Promise<void>;
  close(): void;
}

const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PARAMETERS = ['endpoint', 'region', 'path-style'];

/**
 * Parses `s3://bucket/prefix?endpoint=https://…&region=…&path-style=true`. The parameters are
 * optional. Path style is the default for an endpoint, because most servers other than AWS need it.
 * @returns the location, or a sentence that says what is wrong.
 */
export function parseObjectsUrl(text: string): ObjectsLocation | string {
  const url = URL.parse(text);
  if (url?.protocol !== 's3:') return 'must be s3://BUCKET/PREFIX';
  if (url.username !== '' || url.password !== '') {
    // The input contains a password, so the message doesn't quote it.
    return 'must not contain credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead';
  }
  const { hostname: bucket, searchParams } = url;
  if (!BUCKET_NAME.test(bucket)) return `must name a bucket, not "${bucket}"`;
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) {
    return `has the unknown parameter "${unknown}"; use ${PARAMETERS.join(', ')}`;
  }
  const endpoint = searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !isEndpoint(endpoint)) {
    return 'must have an endpoint such as https://s3.example.com, without credentials';
  }
  const style = searchParams.get('path-style') ?? String(endpoint !== undefined);
  if (style !== 'true' && style !== 'false') return 'must have path-style=true or path-style=false';
  const path = decodeURIComponent(url.pathname).replaceAll(/^\/+|\/+$/g, '');
  return {
    bucket,
    prefix: path === '' ? '' : `${path}/`,
    endpoint,
    region: searchParams.get('region') ?? undefined,
    usesPathStyle: style === 'true',
    url: url.href,
  };
}

function isEndpoint(text: string): boolean {
  const { protocol, username, password } = URL.parse(text) ?? {};
  return (protocol === 'https:' || protocol === 'http:') && `${username}${password}` === '';
}

/** Errors that mean that the server received the request but doesn't accept its credentials. */
const REJECTED =
  /^(AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|InvalidToken|CredentialsProviderError|TokenProviderError|Forbidden|403)$/;

/** Converts an error from the SDK to `Unavailable` with a message that says what to check. */
export function toObjectStoreError({ bucket, endpoint }: ObjectsLocation, error: unknown): Error {
  const { name, code, $metadata } = error as {
    name?: string;
    code?: unknown;
    $metadata?: { httpStatusCode?: number };
  };
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
