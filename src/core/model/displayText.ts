const LONGEST = 200;
/** Control characters, line ends, and the marks that turn the direction of text around. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu;

/** Remote text on one line, as it is, but unable to break or disguise what stands around it. */
export function displayText(text: string, longest = LONGEST): string {
  const safe = text.replace(UNSAFE, '\ufffd');
  return safe.length > longest ? `${safe.slice(0, longest - 1)}…` : safe;
}

/** A resource's name for people; its id when it has none. */
export function displayName({ name, id }: { readonly name: string; readonly id: string }): string {
  return displayText(name.trim() === '' ? id : name);
}
