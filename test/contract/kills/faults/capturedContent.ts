const CONTENTS = 40;
const MAX_BYTES = 150_000;
const STREAMED_BYTES = 2_000_000;

/**
 * Returns the content of an item. Multiple items share each content, so that its bytes are stored
 * only once.
 */
export function createContent(name: string, isStreamed: boolean): Buffer {
  const kind = Number(name.slice(name.indexOf('-') + 1)) % CONTENTS;
  const size = ((kind * 7919) % MAX_BYTES) + 1 + (isStreamed ? STREAMED_BYTES : 0);
  return Buffer.alloc(size, `content ${String(kind)} `);
}

/** Returns true if an item is sent in chunks. */
export function isStreamed(name: string): boolean {
  return Number(name.slice(name.indexOf('-') + 1)) % 5 === 0;
}
