import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Header, type HeaderData } from 'tar';

/** A folder on disk that a test fills and that is deleted after the test. */
export class TestFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'fleetwright-build-'));

  file(path: string, content: string | Uint8Array = path, mode = 0o644): string {
    const fullPath = join(this.path, path);
    mkdirSync(dirname(fullPath), { recursive: true });
    writeFileSync(fullPath, content);
    chmodSync(fullPath, mode);
    return fullPath;
  }

  program(path: string, content: string | Uint8Array = '#!/bin/sh\n'): string {
    return this.file(path, content, 0o755);
  }

  link(path: string, target: string): void {
    mkdirSync(dirname(join(this.path, path)), { recursive: true });
    symlinkSync(target, join(this.path, path));
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/**
 * Returns the start of an ELF program.
 * @param machine machine type, for example 62 for amd64 or 183 for arm64
 */
export function elfProgram(machine: number): Uint8Array {
  const head = Buffer.alloc(64);
  head.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]);
  head.writeUInt16LE(2, 16);
  head.writeUInt16LE(machine, 18);
  return head;
}

/** An archive entry that no normal archiver would write. */
export interface RawEntry extends HeaderData {
  readonly path: string;
  readonly content?: string | Uint8Array;
}

/**
 * Returns a `.tar.gz` archive with exactly these entries, including entries that archivers refuse
 * to write.
 */
export function rawArchive(entries: readonly RawEntry[]): Uint8Array {
  const blocks = entries.flatMap(({ content = '', ...data }) => {
    const bytes = Buffer.from(content);
    const header = new Header({ type: 'File', mode: 0o644, size: bytes.length, ...data });
    header.encode();
    return [
      header.block ?? Buffer.alloc(0),
      bytes,
      Buffer.alloc((512 - (bytes.length % 512)) % 512),
    ];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

/**
 * Returns an extended header for fields of the next entry that don't fit into that entry's own
 * header.
 */
export function extended(fields: Readonly<Record<string, string>>): RawEntry {
  const records = Object.entries(fields).map(([name, value]) => {
    const rest = ` ${name}=${value}\n`;
    let length = rest.length;
    while (String(length).length + rest.length !== length) {
      length = String(length).length + rest.length;
    }
    return `${String(length)}${rest}`;
  });
  return { path: 'PaxHeader', type: 'ExtendedHeader', content: records.join('') };
}

/**
 * Returns an archive of many empty files. Reuses encoded headers, because encoding each header
 * separately would take seconds.
 */
export function createArchiveOfEmptyFiles(count: number): Uint8Array {
  const blocks = Buffer.alloc(count * 512 + 1024);
  const header = new Header({ type: 'File', mode: 0o644, size: 0, path: '0'.repeat(6) });
  header.encode();
  const template = header.block ?? Buffer.alloc(512);
  const zeros = header.cksum ?? 0;
  for (let index = 0; index < count; index += 1) {
    const name = String(index).padStart(6, '0');
    const sum = zeros + Array.from(name, Number).reduce((total, digit) => total + digit, 0);
    template.copy(blocks, index * 512);
    blocks.write(name, index * 512);
    blocks.write(sum.toString(8).padStart(6, '0'), index * 512 + 148);
  }
  return gzipSync(blocks, { level: 1 });
}
