import type { ObjectBucket, ObjectsLocation } from './objectBucket';
import type { S3BucketOptions } from './s3Bucket';

/** Opens a bucket without checking it. The SDK is loaded on the first call. */
export async function openObjectBucket(
  location: ObjectsLocation,
  options?: S3BucketOptions,
): Promise<ObjectBucket> {
  const { S3Bucket } = await import('./s3Bucket');
  return new S3Bucket(location, options);
}
