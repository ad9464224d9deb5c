import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const MEBIBYTE = 1024 * 1024;
/** A library of a build: most of its bytes are in such. */
const LIBRARY_BYTES = 48 * MEBIBYTE;
/** Every library brings along as many small files, as packages of languages do. */
const SMALL_FILES = 400;
const SMALL_BYTES = 4 * 1024;

/**
 * Bytes that compress about as programs do, to less than a half: words of text, tables of numbers, and
 * what is packed already.
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

/** A folder with so many bytes of libraries and small files, and a program that starts it. */
export async function writeBuild(folder: string, mebibytes: number): Promise<void> {
  const library = programBytes(LIBRARY_BYTES);
  let left = mebibytes * MEBIBYTE;
  for (let index = 0; left > 0; index += 1) {
    const place = join(folder, 'lib', String(index));
    await mkdir(place, { recursive: true });
    const small = Math.min(SMALL_FILES, Math.floor(left / SMALL_BYTES));
    for (let file = 0; file < small; file += 1) {
      const start = file * SMALL_BYTES;
      const bytes = library.subarray(start, start + SMALL_BYTES);
      await writeFile(join(place, `${String(file)}.py`), bytes);
    }
    left -= small * SMALL_BYTES;
    const size = Math.min(LIBRARY_BYTES, left);
    await writeFile(join(place, 'library.so'), library.subarray(0, size));
    left -= size;
  }
  await writeFile(join(folder, 'main'), '#!/bin/sh\n', { mode: 0o755 });
}

/** A file of so many bytes that compress no further. */
export async function writePacked(path: string, mebibytes: number): Promise<void> {
  await using file = await open(path, 'w');
  const piece = Buffer.alloc(MEBIBYTE);
  for (let index = 0; index < mebibytes; index += 1) {
    piece.writeUInt32LE(index);
    await file.write(piece);
  }
}

/** `tar | gzip` of a folder to a file, as people do it by hand. */
export async function tarAndGzip(folder: string, path: string): Promise<void> {
  const line = 'tar -C "$1" -cf - . | gzip -6 > "$2"';
  const shell = spawn('sh', ['-c', line, 'sh', folder, path], { stdio: 'inherit' });
  const [code] = (await once(shell, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`tar and gzip ended with ${String(code)}.`);
}
