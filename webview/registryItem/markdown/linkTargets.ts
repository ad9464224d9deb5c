import { openableLink } from '../../../src/shared/openableLink';

/**
 * Resolves the links in a description. External links get their target as a tooltip; links to
 * headings remain unchanged. Links without a usable target, such as a link to a file next to the
 * text, are replaced with plain text.
 */
export function resolveLinks(content: DocumentFragment): void {
  const headings = headingsByAnchor(content);
  for (const link of content.querySelectorAll('a')) {
    const written = link.getAttribute('href') ?? '';
    const address = openableLink(written);
    const heading = written.startsWith('#') ? headings.get(decoded(written.slice(1))) : undefined;
    if (address === undefined && heading === undefined) {
      link.replaceWith(...link.childNodes);
      continue;
    }
    if (address !== undefined) {
      link.href = address;
      link.title = address;
    }
    if (link.textContent.trim() === '') link.append(address ?? written);
  }
}

/** Returns the heading that a link within the text targets. */
export function findLinkedHeading(
  content: ParentNode,
  link: HTMLAnchorElement,
): HTMLElement | undefined {
  const written = link.getAttribute('href') ?? '';
  return written.startsWith('#')
    ? headingsByAnchor(content).get(decoded(written.slice(1)))
    : undefined;
}

function headingsByAnchor(content: ParentNode): Map<string, HTMLElement> {
  const found = new Map<string, HTMLElement>();
  /**
   * Next suffix number for each anchor, cached because thousands of headings can have the same
   * text.
   */
  const next = new Map<string, number>();
  for (const heading of content.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6')) {
    const anchor = toAnchor(heading.textContent);
    let number = next.get(anchor) ?? 0;
    let name = number === 0 ? anchor : `${anchor}-${String(number)}`;
    for (; found.has(name); name = `${anchor}-${String(number)}`) number += 1;
    next.set(anchor, number + 1);
    found.set(name, heading);
  }
  return found;
}

/** Returns the anchor that code hosting sites create for a heading. */
function toAnchor(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).toLowerCase();
  } catch {
    return text.toLowerCase();
  }
}
