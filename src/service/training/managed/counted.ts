/** Returns a number with a noun, such as `1 image` or `2 images`. */
export function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
