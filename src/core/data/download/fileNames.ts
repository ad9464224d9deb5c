import { createHash } from 'node:crypto';
import sanitize from 'sanitize-filename';
import type { BinaryItem } from '../../model/binaryItem';
import { isoMicros } from '../../model/micros';

/** Bytes of a name without its extension: with what is put behind it, it fits every file system. */
const LONGEST_STEM = 120;
const LONGEST_EXTENSION = 20;
/** Longer names are cut before anything else is done with them. */
const LONGEST_READ = 1_000;
/** Marks that reverse what a name looks like, control characters, halves of characters. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;
/** Names of devices in Windows that the library does not know. */
const DEVICE = /^(?:com|lpt)[¹²³]|^con(?:in|out)\$/i;
const SEPARATORS = /[\\/:]+/g;

/**
 * The name of an item's file, as uploaded or, for what has none, of its time and component. It is safe on
 * every system, but not the only one: `distinctName` makes it so.
 */
export function fileNameOf(item: BinaryItem): string {
  const { fileName, fileExtension, source, id } = item;
  const captured = isoMicros(item.at).replace(/[-:]/g, '');
  const named = fileName.trim() === '' ? `${captured}_${source.componentName || 'item'}` : fileName;
  const stem =
    safeStem(named.slice(0, LONGEST_READ)) || safeStem(id.slice(0, LONGEST_READ)) || 'item';
  const extension = safeExtension(fileExtension);
  const isThere = extension !== '' && stem.toLowerCase().endsWith(extension.toLowerCase());
  return isThere && stem.length > extension.length ? stem : stem + extension;
}

/** A name with a part that is the item's alone, for when another file has the plain one. */
export function distinctName(name: string, { id }: Pick<BinaryItem, 'id'>, length: number): string {
  const mark = createHash('sha256').update(id).digest('hex').slice(0, length);
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  return `${stem}_${mark}${extension}`;
}

/** What two names share that are one file where case does not count. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function safeStem(text: string): string {
  const seen = text.normalize('NFC').replace(UNSEEN, '_').replace(SEPARATORS, '_');
  const cut = cutToBytes(sanitize(seen, { replacement: '_' }), LONGEST_STEM);
  // A leading period hides a file, a leading hyphen is an option of many programs.
  const plain = cut.replace(/^[.\-~\s]+/, '').replace(/[.\s]+$/, '');
  return DEVICE.test(plain) ? `_${plain}` : plain;
}

/** Extensions are letters and digits; anything else is none. */
function safeExtension(text: string): string {
  const extension = text.toLowerCase();
  const isPlain = /^(?:\.[a-z0-9]+)+$/.test(extension) && extension.length <= LONGEST_EXTENSION;
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
