const MAX_LENGTH = 200;
/** Control characters, line breaks, and bidirectional marks. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu;

/** Patterns that VS Code would convert to a link in a message. A link can even run a command. */
const LINK = /\](?=\((?:https?|command|file):)/gi;

/**
 * Returns the first character that can break or disguise the surrounding text, formatted like
 * `U+001B`; undefined if there is none.
 */
export function findUnsafeCharacter(text: string): string | undefined {
  const [character] = text.match(UNSAFE) ?? [];
  return character && `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * Converts text from the service to one line without characters that can break or disguise the
 * surrounding text.
 */
export function toDisplayText(text: string, longest = MAX_LENGTH): string {
  const safe = text.replace(UNSAFE, '\ufffd');
  // Cut first: the spaces in links don't count, so that no text below the limit is cut.
  return withoutLinks(safe.length > longest ? `${cut(safe, longest - 1)}…` : safe);
}

/** Changes multiline text, or text from the service, so that VS Code doesn't detect links in it. */
export function withoutLinks(text: string): string {
  return text.replace(LINK, '] ');
}

/** Truncates a string. @param length in UTF-16 units; a surrogate pair isn't split. */
export function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/**
 * Characters without visible ink: spaces, characters that fonts are required to ignore, such as
 * joiners, and the empty Braille pattern.
 */
const INVISIBLE = /[\s\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Returns true if nothing of a text is visible. */
export function isBlank(text: string): boolean {
  return text.replace(INVISIBLE, '') === '';
}

/** Returns a resource's name for display, or its ID if it has no visible name. */
export function displayName({ name, id }: { readonly name: string; readonly id: string }): string {
  return toDisplayText(isBlank(name) ? id : name);
}

/** Characters that can control a terminal. */
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

/**
 * Converts text to one line, because text from manifests, builds, and services can contain any
 * characters.
 */
export function oneLine(text: string): string {
  return text.replace(CONTROL, ' ');
}

/** First names of a long list, and the number of omitted names. */
export interface ShortList {
  readonly shown: readonly string[];
  readonly more: number;
}

/** Shortens a list for a sentence. Never omits just one name, because "1 more" isn't shorter. */
export function shortList(names: readonly string[], longest: number): ShortList {
  if (names.length <= longest + 1) return { shown: names, more: 0 };
  return { shown: names.slice(0, longest), more: names.length - longest };
}
