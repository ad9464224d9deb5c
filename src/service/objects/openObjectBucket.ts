import type { ObjectBucket, ObjectsLocation } from './objectBucket';

/**
 * Opens a bucket and checks that its objects can be listed. The SDK is loaded on the first call.
 * @throws Unavailable if the bucket can't be used.
 */
export async function openObjectBucket(location: ObjectsLocation): Promise<ObjectBucket> {
  const { S3Bucket } = await import('./s3Bucket');
  const bucket = new S3Bucket(location);
  try {
    for await (const _object of bucket.list()) break;
    return bucket;
  } catch (error) {
    bucket.close();
    throw error;
  }
}
