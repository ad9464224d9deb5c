/** Light enough that black text is read on each of them, and far apart from one another. */
const colors = [
  '#ffd400',
  '#4dd2ff',
  '#7cff6b',
  '#ff9d5c',
  '#ff8fd8',
  '#c9a6ff',
  '#5cf2c8',
  '#ff8a8a',
  '#b8e04a',
  '#9fb8ff',
  '#f0c0a0',
  '#f2f2f2',
] as const;

/** What is read on every one of the colours. */
export const onLabelColor = '#000000';

/** The colour of a label: the same in every image, every panel and every session. */
export function labelColor(label: string): string {
  let hash = 0;
  // The start of a label tells it from others well enough.
  const end = Math.min(label.length, 64);
  for (let at = 0; at < end; at += 1) hash = (hash * 31 + label.charCodeAt(at)) | 0;
  return colors[Math.abs(hash) % colors.length] ?? colors[0];
}
