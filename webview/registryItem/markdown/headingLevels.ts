/** Number of heading levels in HTML. */
const DEEPEST = 6;

/**
 * Moves the headings of a description below the heading that contains it: one level deeper per
 * nesting level, regardless of their original levels, so that the page's outline has no gaps.
 * @param above level of the containing heading
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
