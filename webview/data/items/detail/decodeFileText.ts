const ALLOWED_CONTROLS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);

/** Decodes a file's text; undefined if its bytes aren't valid UTF-8. */
export function decodeFileText(bytes: ArrayBuffer): string | undefined {
  const view = new Uint8Array(bytes);
  if (view.some((byte) => byte < 0x20 && !ALLOWED_CONTROLS.has(byte))) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(view);
  } catch {
    return undefined;
  }
}
