/** Lookalikes with diacritics of the letters from a to z. */
const LOWER = 'áƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž';
/** Lookalikes with diacritics of the letters from A to Z. */
const UPPER = 'ÁɃÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ';

/** Parts of a text that translations preserve: placeholders, icons, link targets, and code. */
const MARKS = /\{\d+\}|\$\([\w~-]+\)|\]\([^)]*\)|`[^`]*`/g;

/**
 * Returns a pseudo-translation of an English text: readable, but without any English letter outside
 * its placeholders, and between brackets, which show whether the text is cut off.
 */
export function toPseudoText(text: string): string {
  if (!/[a-z]/i.test(text.replaceAll(MARKS, ''))) return text;
  const translated: string[] = [];
  let end = 0;
  for (const mark of text.matchAll(MARKS)) {
    translated.push(toLookalikes(text.slice(end, mark.index)), mark[0]);
    end = mark.index + mark[0].length;
  }
  translated.push(toLookalikes(text.slice(end)));
  return `[!! ${translated.join('')} !!]`;
}

function toLookalikes(text: string): string {
  return text
    .replaceAll(/[a-z]/g, (letter) => LOWER.charAt(letter.charCodeAt(0) - 'a'.charCodeAt(0)))
    .replaceAll(/[A-Z]/g, (letter) => UPPER.charAt(letter.charCodeAt(0) - 'A'.charCodeAt(0)));
}
