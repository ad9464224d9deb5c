import { FleetError } from '../../api/errors';
import type { BinaryItem } from '../../model/binaryItem';
import type { DownloadFolder } from './downloadFolder';
import { distinctName, toFileName, foldedName } from './fileNames';
import { parseMetadataItemId, formatItemMetadata } from './itemMetadata';

/**
 * Number of hex digits that distinguish equal file names; all of them if the short form is not
 * enough.
 */
const MARKS = [8, 64];

/** File reserved for an item. */
export interface ReservedFile {
  readonly name: string;
  /** True if its content is already complete. */
  readonly isComplete: boolean;
}

/**
 * Allocates the file of an item: the one from an earlier download, or a free one. The metadata next
 * to a content identifies its item; a foreign file is never overwritten.
 */
export class FileNameAllocator {
  /** Names in use, case-folded, with the items that they belong to. */
  private taken: Promise<Map<string, string>> | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly folder: DownloadFolder) {}

  /**
   * Reserves files sequentially, because two items must not get the same name. Throws `FleetError`.
   */
  reserve(item: BinaryItem): Promise<ReservedFile> {
    const reserved = this.turn.then(() => this.find(item));
    this.turn = reserved.catch(() => undefined);
    return reserved;
  }

  private async find(item: BinaryItem): Promise<ReservedFile> {
    const plain = toFileName(item);
    for (const name of [plain, ...MARKS.map((length) => distinctName(plain, item, length))]) {
      const reserved = await this.take(name, item);
      if (reserved) return reserved;
    }
    throw new FleetError('conflict', `All names for "${plain}" in the folder are already in use.`);
  }

  private async take(name: string, item: BinaryItem): Promise<ReservedFile | undefined> {
    const { folder } = this;
    const taken = await (this.taken ??= this.readNames());
    const key = foldedName(name);
    const owner = taken.get(key);
    if (owner !== undefined && owner !== '' && owner !== item.id) return undefined;
    const known = await folder.read('metadata', metadataName(name));
    const isOwn = known !== undefined && parseMetadataItemId(known) === item.id;
    if (!isOwn && (known !== undefined || owner !== undefined)) return undefined;
    const size = await folder.size('data', name);
    // Another program has changed the file, or it isn't ours.
    if (size !== undefined && (!isOwn || size !== item.sizeBytes)) return undefined;
    const text = formatItemMetadata(item);
    if (known !== text) await folder.write('metadata', metadataName(name), text);
    taken.set(key, item.id);
    return { name, isComplete: size !== undefined };
  }

  /** Reads the existing names. They have no item until their metadata is read. */
  private async readNames(): Promise<Map<string, string>> {
    const names = await this.folder.names('data');
    return new Map(names.map((name) => [foldedName(name), '']));
  }
}

function metadataName(name: string): string {
  return `${name}.json`;
}
