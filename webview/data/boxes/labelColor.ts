/** Text color on all label colors. */
export const onLabelColor = '#000000';

/**
 * Maximum number of characters that determine the color: the start of a label is distinctive
 * enough.
 */
const LONGEST = 64;

/** Constants of the 32-bit FNV-1a hash. */
const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

const HUES = 360;
/**
 * Lightness values that are light enough for black text. There are two, because users can
 * distinguish only a few hues.
 */
const lightnesses = ['0.76', '0.9'] as const;

/** Returns the color of a label, which is the same in all images, panels, and sessions. */
export function labelColor(label: string): string {
  let hash = BASIS;
  const end = Math.min(label.length, LONGEST);
  for (let at = 0; at < end; at += 1) hash = Math.imul(hash ^ label.charCodeAt(at), PRIME);
  const number = hash >>> 0;
  const lightness = lightnesses[(number >>> 16) % lightnesses.length] ?? lightnesses[0];
  return `oklch(${lightness} 0.15 ${number % HUES})`;
}
