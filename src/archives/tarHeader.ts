import { Header, Pax } from 'tar';
import type { FolderEntry } from './folderEntries';

/**
 * Block size in bytes. Every header and every entry's contents in a tar archive start at a multiple
 * of this size.
 */
const BLOCK_BYTES = 512;
const TYPES = { file: 'File', folder: 'Directory', link: 'SymbolicLink' } as const;
const READABLE = 0o644;
const RUNNABLE = 0o755;
const MS_PER_SECOND = 1000;

/**
 * Returns the header for an entry. Omits the owner and all permissions except the execute
 * permission, because machines unpack the archive as a different user.
 */
export function tarHeader(entry: FolderEntry, isExecutable: boolean): Uint8Array {
  const { type, size, target } = entry;
  if (type !== 'file' && type !== 'folder' && type !== 'link') return new Uint8Array(0);
  const data = {
    path: type === 'folder' ? `${entry.path}/` : entry.path,
    type: TYPES[type],
    mode: type === 'file' && !isExecutable ? READABLE : RUNNABLE,
    size,
    uid: 0,
    gid: 0,
    mtime: new Date(Math.floor(entry.mtime / MS_PER_SECOND) * MS_PER_SECOND),
    ...(target !== undefined && { linkpath: target }),
  };
  const header = new Header(data);
  const needsMore = header.encode();
  const block = header.block ?? Buffer.alloc(BLOCK_BYTES);
  if (!needsMore) return block;
  // Long names and sizes of 8 GiB or more don't fit into the block.
  const more = new Pax({
    path: data.path,
    size,
    ...(target !== undefined && { linkpath: target }),
  });
  return Buffer.concat([more.encode(), block]);
}

/** Returns the zeros that pad an entry's contents to a full block. */
export function tarPadding(size: number): Uint8Array {
  return new Uint8Array((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);
}

/** Returns the two blocks of zeros that end an archive. */
export function tarEnd(): Uint8Array {
  return new Uint8Array(2 * BLOCK_BYTES);
}
