/** What is read on the color of every label. */
export const onLabelColor = '#000000';

/** The start of a label tells it from others well enough. */
const LONGEST = 64;

/** FNV-1a, 32 bits. */
const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

const HUES = 360;
/** Light enough that black text is read on it; two of them, because people tell few hues apart. */
const lightnesses = ['0.76', '0.9'] as const;

/** The color of a label: the same in every image, every panel and every session. */
export function labelColor(label: string): string {
  let hash = BASIS;
  const end = Math.min(label.length, LONGEST);
  for (let at = 0; at < end; at += 1) hash = Math.imul(hash ^ label.charCodeAt(at), PRIME);
  const number = hash >>> 0;
  const lightness = lightnesses[(number >>> 16) % lightnesses.length] ?? lightnesses[0];
  return `oklch(${lightness} 0.15 ${number % HUES})`;
}
