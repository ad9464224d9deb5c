import type { Frame, Page } from 'playwright-core';

/** Names that are the same in all languages: of units, time zones, query languages, and keys. */
const SYMBOLS = [
  ...['ms', 'kB', 'MB', 'GB', 'TB', 'px', 'UTC', 'GMT', 'SQL', 'MQL'],
  ...['Ctrl', 'Shift', 'Alt', 'Esc', 'Del', 'Space', 'Enter'],
];

/**
 * Returns the visible texts and labels of a page that contain English words, which are words of the
 * letters from a to z. On a pseudo-translated page, these are bare English strings and data.
 * @param data texts of the test's data, whose words are ignored
 * @param within CSS selector of the elements to check
 */
export async function findBareEnglish(
  page: Page | Frame,
  data: readonly string[],
  within = 'body',
): Promise<readonly string[]> {
  const texts = await page.evaluate(getVisibleTexts, within);
  const known = new Set([...SYMBOLS, ...data.flatMap(getWords)]);
  const isBare = (text: string): boolean => getWords(text).some((word) => !known.has(word));
  return [...new Set(texts)].filter(isBare);
}

function getWords(text: string): readonly string[] {
  return text.match(/[A-Za-z]{2,}/g) ?? [];
}

/** Runs in the page. Returns the visible texts, and the labels of visible elements. */
function getVisibleTexts(within: string): readonly string[] {
  const labels = [
    ...['title', 'aria-label', 'aria-description', 'aria-valuetext', 'aria-roledescription'],
    ...['placeholder', 'alt'],
  ];
  const texts: string[] = [];
  // A stack instead of recursion, because a named inner function isn't defined in the page.
  const nodes: Node[] = [...document.querySelectorAll(within)];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if (node instanceof Text) texts.push(node.data.trim());
    if (!(node instanceof Element)) continue;
    if (node.matches('script, style, template') || !node.checkVisibility()) continue;
    for (const label of labels) texts.push(node.getAttribute(label) ?? '');
    nodes.push(...(node.shadowRoot?.childNodes ?? []), ...node.childNodes);
  }
  return texts.filter((text) => text !== '');
}
