import { createHash } from 'node:crypto';
import sanitize from 'sanitize-filename';
import { englishLocalizer } from '../../../base/localizer';
import { FleetError } from '../../api/errors';
import { type BinaryItem, getUserTags } from '../../model/binaryItem';
import type { DownloadFolder } from './fetchContent';
import { isoMicros } from '../../model/timestamp';

/**
 * Numbers of hex digits that make equal file names distinct: a short form, and all digits if the
 * short form is already in use.
 */
const MARKS = [8, 64];

/** File reserved for an item. */
export interface ReservedFile {
  readonly name: string;
  /** True if the file's content is already complete. */
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
   * Reserves a file for an item. Calls are processed sequentially, because two items must not get
   * the same name. Throws `FleetError`.
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

/** Returns the text of the metadata file next to an item's content. */
function formatItemMetadata(item: BinaryItem): string {
  const { id, source, at, receivedAt, fileName, fileExtension, mimeType, sizeBytes } = item;
  const known = {
    id,
    capturedAt: isoMicros(at),
    ...(receivedAt !== undefined && { receivedAt: isoMicros(receivedAt) }),
    fileName,
    fileExtension,
    mimeType,
    sizeBytes,
    source,
    tags: getUserTags(item),
    datasetIds: item.datasetIds,
    boxes: item.boxes,
    classifications: item.classifications,
  };
  return `${JSON.stringify(known, undefined, 2)}\n`;
}

/** Returns the item ID in a metadata file; undefined if this product didn't create the file. */
function parseMetadataItemId(text: string): string | undefined {
  try {
    const known: unknown = JSON.parse(text);
    if (typeof known !== 'object' || known === null || !('id' in known)) return undefined;
    return typeof known.id === 'string' ? known.id : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Maximum number of bytes in a name without its extension. Even with all suffixes, the name fits
 * every file system.
 */
const MAX_STEM_BYTES = 120;
const MAX_EXTENSION_LENGTH = 20;
/** Maximum length of names to process. Longer names are truncated first. */
const MAX_INPUT_LENGTH = 1_000;
/** Control characters, bidirectional marks, and lone surrogates. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;
/** Windows device names, of which the library recognizes some, and only without leading characters. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³]|con(?:in|out)\$)(?:\.|$)/i;
/** Names of files that the download of another file uses in the meantime. */
const TEMPORARY = /\.part(?:\.version(?:\.new)?)?$/i;
const SEPARATORS = /[\\/:]+/g;

/**
 * Returns a name for an item's file: the name of the uploaded file or, if there is none, the item's
 * time and component. The name is valid on every system but not unique; `distinctName` makes it
 * unique.
 */
export function toFileName(item: BinaryItem): string {
  const { fileName, fileExtension, source, id } = item;
  const captured = isoMicros(item.at).replace(/[-:]/g, '');
  const named = fileName.trim() === '' ? `${captured}_${source.componentName || 'item'}` : fileName;
  const stem =
    safeStem(named.slice(0, MAX_INPUT_LENGTH)) || safeStem(id.slice(0, MAX_INPUT_LENGTH)) || 'item';
  const extension = safeExtension(fileExtension);
  const isThere = extension !== '' && stem.toLowerCase().endsWith(extension.toLowerCase());
  const name = isThere && stem.length > extension.length ? stem : stem + extension;
  return TEMPORARY.test(name) ? `${name}_` : name;
}

/**
 * Returns a name that contains a unique part of the item's ID. Used when another file has the plain
 * name.
 */
export function distinctName(name: string, { id }: Pick<BinaryItem, 'id'>, length: number): string {
  const mark = createHash('sha256').update(id).digest('hex').slice(0, length);
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  return `${stem}_${mark}${extension}`;
}

/**
 * Returns the case-folded name. On case-insensitive systems, names with the same case-folded form
 * refer to the same file.
 */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function safeStem(text: string): string {
  const seen = text.normalize('NFC').replace(UNSEEN, '_').replace(SEPARATORS, '_');
  const cut = cutToBytes(sanitize(seen, { replacement: '_' }), MAX_STEM_BYTES);
  // A leading period hides a file, and many programs interpret a leading hyphen as an option.
  const plain = cut.replace(/^[.\-~\s]+/, '').replace(/[.\s]+$/, '');
  return DEVICE.test(plain) ? `_${plain}` : plain;
}

/**
 * Returns the extension if it consists of letters and digits only; otherwise, the name has no valid
 * extension.
 */
function safeExtension(text: string): string {
  const extension = text.toLowerCase();
  const isPlain = /^(?:\.[a-z0-9]+)+$/.test(extension) && extension.length <= MAX_EXTENSION_LENGTH;
  return isPlain ? extension : '';
}

function cutToBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let cut = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    cut += character;
  }
  return cut;
}
