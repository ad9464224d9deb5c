import type { Readable } from 'node:stream';

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

/** Response headers of a presigned URL, and the time in seconds for which the URL is valid. */
export interface SignedUrlOptions {
  contentType: string;
  contentDisposition: string;
  cacheControl: string;
  expiresIn: number;
}

/**
 * Objects below a prefix of a bucket. A server must list and return an object as soon as its upload
 * is acknowledged, and must not return it after its deletion is acknowledged, as S3 does. All other
 * methods reject with `Unavailable` if the server doesn't respond or rejects the request.
 */
export interface ObjectBucket {
  readonly url: string;
  /**
   * Checks that objects can be listed.
   * @throws FailedPrecondition if the server rejects the request, for example for a wrong key;
   *     Unavailable if it doesn't respond.
   */
  check(): Promise<void>;
  /**
   * Uploads an object, in several parts if it is large. Only a few parts are in memory at a time. The
   * object doesn't exist until all of its bytes have been received. An existing object is replaced.
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
  /** True if clients can reach the server, so that `signUrl` can be called. */
  readonly isPublic: boolean;
  /**
   * Returns a URL with which anyone can read an object. It contains a signature and must not be
   * logged. The object isn't checked.
   */
  signUrl(key: string, options: SignedUrlOptions): Promise<string>;
  /** Deletes an object; does nothing if it doesn't exist. */
  remove(key: string): Promise<void>;
  /** Lists the objects whose keys begin with a prefix, or all objects, in the order of their keys. */
  list(prefix?: string): AsyncIterable<ListedObject>;
  /** Aborts multipart uploads that were started before a time and never finished. */
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
  const decoded = decodePath(url.pathname);
  if (decoded === undefined) return 'must encode "%" as %25';
  const path = decoded.replaceAll(/^\/+|\/+$/g, '');
  return {
    bucket,
    prefix: path === '' ? '' : `${path}/`,
    endpoint,
    region: searchParams.get('region') ?? undefined,
    usesPathStyle: style === 'true',
    url: url.href,
  };
}

/** Returns undefined if an escape sequence isn't valid. */
function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function isEndpoint(text: string): boolean {
  const { protocol, username, password } = URL.parse(text) ?? {};
  return (protocol === 'https:' || protocol === 'http:') && `${username}${password}` === '';
}
