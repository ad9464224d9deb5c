import type { BsonElements } from './bsonElements';

/** Maximum size of a value to compare, in bytes. Longer values are rarely repeated. */
const MAX_BYTES = 256;

/**
 * Notices that an element's value is the same as the previous one in its column, without decoding
 * it. Most columns of readings contain the same ID or name in all rows.
 */
export class PreviousElement {
  private readonly value = new Uint8Array(MAX_BYTES);
  private type: number | undefined;
  private length = 0;

  /**
   * Returns true if the element has the same type and value as in the previous call. Returns false
   * for long values.
   */
  isRepeated({ bytes, type, valueStart, valueEnd }: BsonElements): boolean {
    const { value } = this;
    const length = valueEnd - valueStart;
    let at = 0;
    if (type === this.type && length === this.length) {
      while (at < length && bytes[valueStart + at] === value[at]) at += 1;
      if (at === length) return true;
    }
    this.type = length <= MAX_BYTES ? type : undefined;
    this.length = length;
    // Faster than `set` for the few bytes of a number, and as fast for an ID.
    if (length <= MAX_BYTES) for (; at < length; at += 1) value[at] = bytes[valueStart + at] ?? 0;
    return false;
  }
}
