import { safeSegment } from '../../documents/safeSegment';
import type { BinaryItem } from '../../model/binaryItem';
import { isoMicros } from '../../model/micros';

/** With the time, the id and the extension, no more than the 255 bytes a file name may have. */
const LONGEST_NAME = 40;
const LONGEST_ID = 64;
const EXTENSION = /^(?:\.[A-Za-z0-9_-]{1,12}){1,2}$/;

/**
 * The name of the file that an item's content is downloaded to: when it was captured, what it is called
 * or what captured it, and its id, so that no two items share one and files stand in the order of their
 * times. Names and ids come from other people: what could leave the folder or mislead a reader is gone.
 */
export function contentName({ at, id, fileName, fileExtension, source }: BinaryItem): string {
  const time = isoMicros(at).replaceAll(/[-:]/g, '');
  const name = shortened(safeSegment(fileName || source.componentName), LONGEST_NAME);
  const key = shortened(id.replaceAll(/[^A-Za-z0-9-]+/g, '_'), -LONGEST_ID);
  const extension = EXTENSION.test(fileExtension) ? fileExtension : '';
  return `${time}_${name}_${key}${extension}`;
}

/** The beginning of a text, or with a negative length its end, in whole characters. */
function shortened(text: string, length: number): string {
  const characters = Array.from(text);
  return (length < 0 ? characters.slice(length) : characters.slice(0, length)).join('');
}
