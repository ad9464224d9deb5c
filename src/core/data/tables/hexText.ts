import { Buffer } from 'node:buffer';

/** Bytes in hexadecimal, two digits each. */
export function hexText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
