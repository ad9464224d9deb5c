import { englishLocalizer } from '../../../base/localizer';
import { FleetError } from '../../api/errors';
import type { BinaryItem } from '../../model/binaryItem';
import type { DownloadFolder } from './downloadFolder';
import { distinctName, toFileName, foldedName } from './fileNames';
import { parseMetadataItemId, formatItemMetadata } from './itemMetadata';

/**
 * Numbers of hex digits that distinguish equal file names: a short form, and all digits if the
 * short form is already in use.
 */
const MARKS = [8, 64];

/** File reserved for an item. */
export interface ReservedFile {
  readonly name: string;
  /** True if the content of the file is already complete. */
  readonly isComplete: boolean;
}

/**
 * Allocates the file for an item: the file from an earlier download, or an unused name. The
 * metadata file next to a content file identifies its item. Never overwrites files that other
 * programs created.
 */
export class FileNameAllocator {
  /** Case-folded names in use, with the IDs of their items. */
  private taken: Promise<Map<string, string>> | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: DownloadFolder,
    private readonly l10n = englishLocalizer,
  ) {}

  /**
   * Reserves a file for an item. Runs sequentially, because two items must not get the same name.
   * Throws `FleetError`.
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
    throw new FleetError(
      'conflict',
      this.l10n.t('All names for "{0}" in the folder are already in use.', plain),
    );
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
    // Another program changed the file, or the file doesn't belong to this item.
    if (size !== undefined && (!isOwn || size !== item.sizeBytes)) return undefined;
    const text = formatItemMetadata(item);
    if (known !== text) await folder.write('metadata', metadataName(name), text);
    taken.set(key, item.id);
    return { name, isComplete: size !== undefined };
  }

  /** Reads the existing names. Their items are unknown until the metadata is read. */
  private async readNames(): Promise<Map<string, string>> {
    const names = await this.folder.names('data');
    return new Map(names.map((name) => [foldedName(name), '']));
  }
}

function metadataName(name: string): string {
  return `${name}.json`;
}
