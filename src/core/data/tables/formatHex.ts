import { Buffer } from 'node:buffer';

/** Formats bytes as hexadecimal numbers with two digits each. */
export function formatHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
