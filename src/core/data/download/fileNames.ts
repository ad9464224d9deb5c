import { createHash } from 'node:crypto';
import sanitize from 'sanitize-filename';
import type { BinaryItem } from '../../model/binaryItem';
import { isoMicros } from '../../model/micros';

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
/** Windows device names that the library doesn't recognize. */
const DEVICE = /^(?:com|lpt)[¹²³]|^con(?:in|out)\$/i;
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
  return isThere && stem.length > extension.length ? stem : stem + extension;
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
 * Returns the case-folded name. Names of the same file on case-insensitive systems have the same
 * case-folded name.
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

function cutToBytes(text: string, most: number): string {
  let bytes = 0;
  let cut = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > most) break;
    cut += character;
  }
  return cut;
}
