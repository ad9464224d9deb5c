/** Levels that a page has. */
const DEEPEST = 6;

/**
 * Puts the headings of a description below the heading that it stands under, one level deeper where one is
 * inside another, whatever levels were written: so the order of the page has no gaps.
 * @param above the level of the heading of the page
 */
export function fitHeadings(content: DocumentFragment, above: number): void {
  const open: number[] = [];
  for (const heading of content.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    if (heading.textContent.trim() === '') {
      heading.replaceWith(...heading.childNodes);
      continue;
    }
    const written = Number(heading.localName.slice(1));
    while ((open.at(-1) ?? 0) >= written) open.pop();
    open.push(written);
    const fitting = document.createElement(`h${Math.min(above + open.length, DEEPEST)}`);
    fitting.append(...heading.childNodes);
    heading.replaceWith(fitting);
  }
}
