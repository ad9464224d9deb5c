const LONGEST = 200;
/** Control characters, line ends, and the marks that turn the direction of text around. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu;

/** Where VS Code would make a link of a part of a message, even one that runs a command. */
const LINK = /\](?=\((?:https?|command|file):)/gi;

/** Returns the first character that breaks or disguises the text around it, as `U+001B`; undefined without one. */
export function findUnsafeCharacter(text: string): string | undefined {
  const [character] = text.match(UNSAFE) ?? [];
  return character && `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Remote text on one line, as it is, but unable to break or disguise what stands around it. */
export function displayText(text: string, longest = LONGEST): string {
  const safe = withoutLinks(text.replace(UNSAFE, '\ufffd'));
  return safe.length > longest ? `${cut(safe, longest - 1)}…` : safe;
}

/** A text of several lines or of a service, which stays a text where VS Code would look for links. */
export function withoutLinks(text: string): string {
  return text.replace(LINK, '] ');
}

/** @param length in UTF-16 units; a character that needs two of them is not torn apart. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** A resource's name for people; its id when it has none. */
export function displayName({ name, id }: { readonly name: string; readonly id: string }): string {
  return displayText(name.trim() === '' ? id : name);
}
