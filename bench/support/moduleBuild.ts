import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const MEBIBYTE = 1024 * 1024;
/** Size of each library. Libraries make up most of a build. */
const LIBRARY_BYTES = 48 * MEBIBYTE;
/** Number of small files per library, a typical number for language packages. */
const SMALL_FILES = 400;
const SMALL_BYTES = 4 * 1024;

/**
 * Returns bytes that, like programs, compress to less than half their size: words of text, tables
 * of numbers, and data that is already compressed.
 */
function programBytes(size: number): Buffer {
  let state = 42;
  const next = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) >> 8;
  const bytes = Buffer.allocUnsafe(size);
  const words = Array.from({ length: 512 }, () => next().toString(36));
  for (let at = 0; at < size;) {
    const kind = next() % 3;
    const end = Math.min(at + 512 + (next() % 2048), size);
    while (at < end) {
      if (kind === 0) at += bytes.write(`${words[next() % words.length] ?? ''} `, at);
      else if (kind === 1 && at + 4 <= size) at = bytes.writeInt32LE(next() % 4096, at);
      else at = bytes.writeUInt8(next() % 256, at);
    }
  }
  return bytes;
}

/**
 * Fills a folder with libraries and small files of a given total size, and with a program that
 * starts them.
 */
export async function writeBuild(folder: string, mebibytes: number): Promise<void> {
  const library = programBytes(LIBRARY_BYTES);
  let left = mebibytes * MEBIBYTE;
  for (let index = 0; left > 0; index += 1) {
    const subfolder = join(folder, 'lib', String(index));
    await mkdir(subfolder, { recursive: true });
    const small = Math.min(SMALL_FILES, Math.floor(left / SMALL_BYTES));
    for (let file = 0; file < small; file += 1) {
      const start = file * SMALL_BYTES;
      const bytes = library.subarray(start, start + SMALL_BYTES);
      await writeFile(join(subfolder, `${String(file)}.py`), bytes);
    }
    left -= small * SMALL_BYTES;
    const size = Math.min(LIBRARY_BYTES, left);
    await writeFile(join(subfolder, 'library.so'), library.subarray(0, size));
    left -= size;
  }
  await writeFile(join(folder, 'main'), '#!/bin/sh\n', { mode: 0o755 });
}

/** Writes a file of a given size that can't be compressed further. */
export async function writePacked(path: string, mebibytes: number): Promise<void> {
  await using file = await open(path, 'w');
  const chunk = Buffer.alloc(MEBIBYTE);
  for (let index = 0; index < mebibytes; index += 1) {
    chunk.writeUInt32LE(index);
    await file.write(chunk);
  }
}

/** Runs `tar | gzip` on a folder and writes the result to a file, as a user would manually. */
export async function tarAndGzip(folder: string, path: string): Promise<void> {
  const line = 'tar -C "$1" -cf - . | gzip -6 > "$2"';
  const shell = spawn('sh', ['-c', line, 'sh', folder, path], { stdio: 'inherit' });
  const [code] = (await once(shell, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`tar and gzip ended with ${String(code)}.`);
}
