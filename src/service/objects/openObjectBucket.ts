import type { ObjectBucket, ObjectsLocation } from './objectBucket';

/** Opens a bucket without checking it. The SDK is loaded on the first call. */
export async function openObjectBucket(location: ObjectsLocation): Promise<ObjectBucket> {
  const { S3Bucket } = await import('./s3Bucket');
  return new S3Bucket(location);
}
