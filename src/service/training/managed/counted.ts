/** Returns a number with a noun, such as `1 image` or `2 images`. */
export function counted(count: number, thing: string): string {
  return `${String(count)} ${thing}${count === 1 ? '' : 's'}`;
}
