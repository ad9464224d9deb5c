import { open } from 'node:fs/promises';
import { HEAD_BYTES, readProgramHead } from '../core/modules/binaryPlatform';
import type { ProgramHead } from '../core/modules/programs/programHead';

/**
 * Reads the head of the program at a path. Returns undefined for an unreadable file, because
 * packing the build reports it.
 */
export async function programAt(path: string): Promise<ProgramHead | undefined> {
  const file = await open(path).catch(() => undefined);
  if (!file) return undefined;
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    return readProgramHead(head.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
